"""The instruction of a goal in Korean, from templates (Table 24)."""
