package merge

// Proofs joins two edits of a file of proofs of Rodin's (.bpr): proof by proof, each known by the name of its
// obligation. A proof is one decision, for steps of two proofs together prove nothing.
func Proofs(name string, base, ours, theirs []byte) (Result, error) {
	return outlined(name, base, ours, theirs, func(src string) (*node, error) {
		known := map[*node]element{}
		root, err := xmlTree([]byte(src), known)
		if err != nil {
			return nil, err
		}
		if len(root.children) != 1 || root.children[0].kind != "prFile" {
			return nil, errUnreadable
		}
		for _, c := range root.children[0].children {
			c.name, c.head, c.tail, c.children, c.atomic = known[c].internal, c.raw(), "", nil, true
		}
		return root, nil
	})
}
