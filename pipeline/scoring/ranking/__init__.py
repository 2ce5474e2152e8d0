"""What a leaderboard may say: when a gain is shown (ladder), which ranks are sure (ranks).

Both work on paired bootstrap samples: numbers of all systems over the same draws of examples
(pipeline/scoring/resampling.py).
"""
