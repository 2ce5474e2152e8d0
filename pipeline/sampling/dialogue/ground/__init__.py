"""What every other room stands on: slots by domain, their names, times of the day, keyed chance."""
