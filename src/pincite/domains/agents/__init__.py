"""What is special about coding agents: where each keeps its settings, and what pincite puts there."""
