"""What a graded class is handed back as: tables, pages, and text made safe for them."""
