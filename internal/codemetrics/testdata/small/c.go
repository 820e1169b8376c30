package small

func last() int { return 1 }
