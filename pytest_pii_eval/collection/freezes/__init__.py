"""From the freezes file to items: one a rule, and in a sealed run those of the sealed freeze."""
