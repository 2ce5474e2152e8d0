"""Goals of dialogues, the knowledge base behind them, and checks of what returns (Section 3.8)."""
