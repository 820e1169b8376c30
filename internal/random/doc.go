// Package random generates random formulas, sequents and models, and random changes of sequents
// and certificates, for tests of readers, provers and refuters. Its results depend only on
// the random source. Package eval decides which formulas a model satisfies.
package random
