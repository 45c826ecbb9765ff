"""Page Annotators: agreement of annotators, and their consensus."""
