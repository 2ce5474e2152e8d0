"""A leaderboard at work: how it is made, what its processes do, and how it is served."""
