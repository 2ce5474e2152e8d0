"""A client of a board: what `klue leaderboard submit` sends and reads."""
