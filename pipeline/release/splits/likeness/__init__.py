"""What may not be parted: like texts, texts that hold others, shared documents and units."""
