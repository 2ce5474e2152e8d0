"""The exchange with annotators: batches out, votes in, who may answer what."""
