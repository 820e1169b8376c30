package sat

// heap is a binary heap of variables, the most active first, ties by index.
type heap struct {
	act  *[]float64
	vars []Var
	at   []int32
}

func (h *heap) grow(v Var) { h.at = append(h.at, -1) }

func (h *heap) less(a, b Var) bool {
	x, y := (*h.act)[a], (*h.act)[b]
	return x > y || x == y && a < b
}

func (h *heap) set(i int, v Var) {
	h.vars[i] = v
	h.at[v] = int32(i)
}

func (h *heap) push(v Var) {
	if h.at[v] >= 0 {
		return
	}
	h.vars = append(h.vars, v)
	h.set(len(h.vars)-1, v)
	h.up(v)
}

// up restores the order after v became more active.
func (h *heap) up(v Var) {
	i := int(h.at[v])
	if i < 0 {
		return
	}
	for i > 0 && h.less(v, h.vars[(i-1)/2]) {
		h.set(i, h.vars[(i-1)/2])
		i = (i - 1) / 2
	}
	h.set(i, v)
}

// pop removes the most active variable; false if none is left.
func (h *heap) pop() (Var, bool) {
	if len(h.vars) == 0 {
		return 0, false
	}
	top, last := h.vars[0], h.vars[len(h.vars)-1]
	h.vars = h.vars[:len(h.vars)-1]
	h.at[top] = -1
	if len(h.vars) == 0 {
		return top, true
	}
	i := 0
	for {
		c := 2*i + 1
		if c+1 < len(h.vars) && h.less(h.vars[c+1], h.vars[c]) {
			c++
		}
		if c >= len(h.vars) || !h.less(h.vars[c], last) {
			break
		}
		h.set(i, h.vars[c])
		i = c
	}
	h.set(i, last)
	return top, true
}
