"""What do many rounds come to? Sampled rounds at the speed of the machine, on one machine or many."""
