"""What equations are written with: vectors, frames, elementary functions, relative coordinates."""
