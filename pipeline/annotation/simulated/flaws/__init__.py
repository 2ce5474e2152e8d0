"""What simulated writers and taggers get wrong: each module makes one right answer a flawed one."""
