package explore

// Gathering is opt with so little room for states that few of them go to disk at a time.
func (opt Options) Gathering(bytes int) Options {
	opt.room = bytes
	return opt
}
