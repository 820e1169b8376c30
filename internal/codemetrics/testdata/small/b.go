package small

func helper(x int) int {
	var t T
	return t.long(x) + last()
}
