package chart

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Scale maps values to the interval from 0 to 1 so that their differences show:
// linearly if that tells them apart; else by their logarithms; else by rank.
type Scale struct {
	Name   string // "", "log", "by rank"
	values []float64
}

// classes is how many colours one tells apart at a glance.
const classes = 9

// NewScale makes the scale for some values.
func NewScale(values []float64) Scale {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	for _, name := range []string{"", "log", "by rank"} {
		s := Scale{name, sorted}
		// A scale on which most points have one colour does not show their differences.
		count, fullest := map[int]int{}, 0
		for _, v := range values {
			class := int(s.At(v) * classes)
			count[class]++
			fullest = max(fullest, count[class])
		}
		if 2*fullest <= len(values) || len(sorted) < 3 || name == "by rank" {
			return s
		}
	}
	return Scale{values: sorted}
}

// At is the place of a value.
func (s Scale) At(v float64) float64 {
	n := len(s.values)
	if n < 2 {
		return 0
	}
	if s.Name == "by rank" {
		i, _ := slices.BinarySearch(s.values, v)
		return min(1, float64(i)/float64(n-1))
	}
	low, high, x := s.of(s.values[0]), s.of(s.values[n-1]), s.of(v)
	return math.Max(0, math.Min(1, (x-low)/(high-low)))
}

// of is the logarithm of a value, mirrored for negative ones, if that is the scale.
func (s Scale) of(v float64) float64 {
	if s.Name == "log" {
		return math.Copysign(math.Log10(1+math.Abs(v)), v)
	}
	return v
}

// marks are some of the values, evenly over the scale, with the least and the
// greatest.
func (s Scale) marks(most int) []float64 {
	var out []float64
	gap := 1 / float64(most)
	for i, v := range s.values {
		last := i == len(s.values)-1
		if len(out) == 0 || last || s.At(v)-s.At(out[len(out)-1]) >= gap && 1-s.At(v) >= gap {
			out = append(out, v)
		}
	}
	return out
}

// ramp is a sequence of colours from dark to bright that differ as much in print
// as on a screen.
var ramp = [][3]float64{{68, 1, 84}, {71, 45, 123}, {59, 82, 139}, {44, 114, 142}, {33, 145, 140}, {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37}}

// Colour is that of a place on a scale: bright for 0, dark for 1. Dark says that
// text upon it has to be light.
func Colour(at float64) (hex string, dark bool) {
	at = (1 - math.Max(0, math.Min(1, at))) * float64(len(ramp)-1)
	i := min(int(at), len(ramp)-2)
	f := at - float64(i)
	var rgb [3]float64
	for k := range rgb {
		rgb[k] = ramp[i][k] + f*(ramp[i+1][k]-ramp[i][k])
	}
	return fmt.Sprintf("#%02x%02x%02x", int(rgb[0]), int(rgb[1]), int(rgb[2])), 0.299*rgb[0]+0.587*rgb[1]+0.114*rgb[2] < 125
}

// Grouped writes an integer with its digits in groups of three.
func Grouped(n *big.Int) string {
	digits := new(big.Int).Abs(n).String()
	var w strings.Builder
	if n.Sign() < 0 {
		w.WriteString("−")
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			w.WriteByte(',')
		}
		w.WriteRune(d)
	}
	return w.String()
}

// maxDigits is the length up to which a number is shown as it is.
const maxDigits = 9

// BriefTexts writes those of list briefly that are integers. Where all are powers of two, and some are long, all are
// written as such: a reader knows 2³⁰, and compares it with 2²⁰.
func BriefTexts(list []string) []string {
	out := make([]string, len(list))
	powers, long := len(list) > 0, false
	for i, x := range list {
		n, ok := new(big.Int).SetString(x, 10)
		if powers = powers && ok && n.Sign() > 0 && n.TrailingZeroBits() == uint(n.BitLen()-1); powers {
			out[i] = "2" + superscript(n.BitLen()-1)
			long = long || len(x) > maxPlain
		}
	}
	if powers && long {
		return out
	}
	for i, x := range list {
		out[i] = x
		if n, ok := new(big.Int).SetString(x, 10); ok {
			out[i] = Brief(n)
		}
	}
	return out
}

// maxPlain is the number of digits of a power of two that is still written out.
const maxPlain = 5

// Float is the number nearest to n.
func Float(n *big.Int) float64 {
	v, _ := new(big.Float).SetInt(n).Float64()
	return v
}

// Brief writes an integer for a small place: a long one by its first digits.
func Brief(n *big.Int) string {
	if len(new(big.Int).Abs(n).String()) <= maxDigits {
		return Grouped(n)
	}
	v, _ := new(big.Float).SetInt(n).Float64()
	return short(v)
}

// short writes a value by its first digits.
func short(v float64) string {
	if a := math.Abs(v); a != 0 && (a >= 1e6 || a < 1e-3) && !math.IsInf(v, 0) {
		e := int(math.Floor(math.Log10(a)))
		m := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", v/math.Pow(10, float64(e))), "0"), ".")
		if m == "10" {
			m, e = "1", e+1
		}
		power := "10" + superscript(e)
		if m == "1" {
			return power
		}
		return strings.Replace(m, "-", "−", 1) + "·" + power
	}
	if v == math.Trunc(v) && !math.IsInf(v, 0) {
		n, _ := big.NewFloat(v).Int(nil)
		return Grouped(n)
	}
	return strings.Replace(fmt.Sprintf("%.4g", v), "-", "−", 1)
}

// markTexts writes the values that a scale is marked with: where first digits do not tell them apart, how far each is from
// the one that counts as best.
func markTexts(marks []float64, best float64) []string {
	texts, seen := make([]string, len(marks)), map[string]bool{}
	for i, v := range marks {
		texts[i] = short(v)
		seen[texts[i]] = true
	}
	if len(seen) == len(marks) {
		return texts
	}
	for i, v := range marks {
		switch {
		case v > best:
			texts[i] = "+" + short(v-best)
		case v < best:
			texts[i] = short(v - best)
		}
	}
	return texts
}

func superscript(n int) string {
	var w strings.Builder
	for _, d := range fmt.Sprint(n) {
		w.WriteRune(map[rune]rune{'-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹'}[d])
	}
	return w.String()
}

// ruler places the values of an axis that are not drawn one by one.
type ruler struct {
	log       bool
	low, high float64
	ticks     []float64
}

// logFrom is how many times the least value the greatest is when an axis becomes
// logarithmic.
const logFrom = 50

// newRuler makes an axis for values between two, with about so many ticks.
func newRuler(low, high float64, about int) ruler {
	if low > 0 && high/low >= logFrom {
		return logRuler(low, high)
	}
	if low > 0 && low <= high/2 {
		low = 0 // near enough to show where 0 is
	}
	if low == high {
		high = low + 1
	}
	// Steps of 1, 2 or 5 times a power of ten: a reader counts in them.
	step := math.Pow(10, math.Floor(math.Log10((high-low)/float64(about))))
	for i := 0; (high-low)/step > float64(about)*1.3; i++ {
		step *= []float64{2, 2.5, 2}[i%3]
	}
	r := ruler{low: math.Floor(low/step) * step, high: math.Ceil(high/step) * step}
	for i := 0; r.low+float64(i)*step <= r.high+step/2; i++ {
		r.ticks = append(r.ticks, r.low+float64(i)*step)
	}
	return r
}

func logRuler(low, high float64) ruler {
	from, to := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	step := 1
	for (to-from)/step > 8 {
		step++
	}
	r := ruler{log: true, low: math.Pow(10, float64(from)), high: math.Pow(10, float64(to))}
	for e := from; e <= to; e += step {
		r.ticks = append(r.ticks, math.Pow(10, float64(e)))
	}
	return r
}

// at is the place of a value, from 0 to 1.
func (r ruler) at(v float64) float64 {
	if r.log {
		return math.Log10(v/r.low) / math.Log10(r.high/r.low)
	}
	return (v - r.low) / (r.high - r.low)
}
