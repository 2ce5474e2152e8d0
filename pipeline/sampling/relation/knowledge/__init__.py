"""The knowledge base of relations: files and infoboxes in, names with types and facts out."""
