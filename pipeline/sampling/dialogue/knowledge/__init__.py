"""The knowledge base (Table 25): virtual places, real ones, and journeys of the metro."""
