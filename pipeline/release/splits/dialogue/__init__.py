"""DST: counterfactual goals and unseen instances (Section 3.8.1)."""
