package cli

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/tune"
)

// TestCalibrateBlind calibrates the convolution for unseen devices, with 20 points
// that the plan chooses. What these devices are is drawn; what a point takes there follows, in
// one family, from the model with hidden constants and noise, and in the other from
// a formula that is built otherwise than the model.
//
// What one device says is luck, so that sweeps look at many. Otherwise it is one on which the data sheet alone chooses
// badly, and measurements must take away half of what that costs.
func TestCalibrateBlind(t *testing.T) {
	for _, family := range []struct {
		name            string
		times           func(*testing.T, *rand.Rand, *tune.Entry, []tune.Unknown) []tune.Measurement
		regret, farther float64 // the median, and what nine of ten keep
		rank            float64 // the median
	}{
		{"model with noise", modelTimes, 1.2, 1.45, 0.85},
		{"another formula", otherTimes, 1.25, 1.5, 0.45},
	} {
		t.Run(family.name, func(t *testing.T) {
			var regrets, ranks []float64
			first, most := 4, corpus.Effort(1, 1, 50)
			if most > 1 {
				first = 0
			}
			for seed := first; seed < first+most; seed++ {
				r := rand.New(rand.NewPCG(uint64(seed), 41))
				unknown, entry := instanceOf(t, "convolution", []string{"A100", "A6000", "W6600"}[r.IntN(3)])
				thin(entry)
				for i, g := range entry.Given {
					if g.Name == "sms" {
						entry.Given[i].Term = entry.Bank.Int64(8 + r.Int64N(140))
					}
				}
				times := family.times(t, r, entry, unknown)
				found := simulateRounds(t, entry, unknown, times, []int{8, 4, 4, 4})
				if most == 1 {
					sheet := simulateRounds(t, entry, unknown, times, nil).regret
					if sheet < 1.5 || found.regret > (1+sheet)/2 {
						t.Errorf("regret %.2f; from the data sheet alone %.2f, which has to be bad enough to be halved", found.regret, sheet)
					}
				}
				regrets, ranks = append(regrets, found.regret), append(ranks, found.rank)
			}
			slices.Sort(regrets)
			slices.Sort(ranks)
			n := len(regrets)
			t.Logf("%d devices: regret %.2f, the median, %.2f for nine of ten, %.2f at most; rank correlation %.2f, the median, %.2f for nine of ten",
				n, regrets[n/2], regrets[n*9/10], regrets[n-1], ranks[n/2], ranks[n/10])
			if most > 1 && (regrets[n/2] > family.regret || regrets[n*9/10] > family.farther || ranks[n/2] < family.rank) {
				t.Errorf("want a median regret of %v, %v for nine of ten, and a median rank correlation of %v", family.regret, family.farther, family.rank)
			}
		})
	}
}

// lognormal is a factor around 1.
func lognormal(r *rand.Rand, spread float64) float64 { return math.Exp(spread * r.NormFloat64()) }

// modelTimes are those of the model with other constants than those it starts with, within
// their ranges, and 15 percent of noise.
func modelTimes(t *testing.T, r *rand.Rand, entry *tune.Entry, unknown []tune.Unknown) []tune.Measurement {
	device := *entry
	device.Given = slices.Clone(entry.Given)
	for _, u := range unknown {
		value := min(u.High, max(u.Low, int64(float64(u.Start)*lognormal(r, 0.8))))
		for i, g := range device.Given {
			if g.Name == u.Name {
				device.Given[i].Term = entry.Bank.Int64(value)
			}
		}
	}
	answer, _ := bestOf(t, &device, "closed_form")
	var out []tune.Measurement
	for _, p := range answer.Points {
		if p.Illegal == "" {
			high, _ := new(big.Float).SetInt(p.Ranges[0].High).Float64()
			out = append(out, tune.Measurement{At: texts(p), Time: high / 1e9 * lognormal(r, 0.15)})
		}
	}
	return out
}

// otherTimes adds up what the model takes the greatest of, lets waves be parts of one, and has
// costs of its own for few warps, for many outputs and for each variant of the program.
func otherTimes(t *testing.T, r *rand.Rand, entry *tune.Entry, _ []tune.Unknown) []tune.Measurement {
	answer, _ := bestOf(t, entry, "closed_form")
	mac, shared, global, copied := lognormal(r, 0.5), 0.5*lognormal(r, 0.5), 2*lognormal(r, 0.5), 20*lognormal(r, 0.5)
	conflict, cached, hidden, seats := 1+r.Float64(), lognormal(r, 0.3), 4+12*r.Float64(), 4+12*r.Float64()
	many, steep, start := 4+8*r.Float64(), 0.5+r.Float64(), 500*lognormal(r, 1)
	var out []tune.Measurement
	var off []float64 // logarithms of what the model says by what the formula says
	for _, p := range answer.Points {
		if p.Illegal != "" {
			continue
		}
		at := map[string]float64{}
		for i, text := range texts(p) {
			at[answer.Names[i]], _ = strconv.ParseFloat(text, 64)
		}
		wide, high := at["block_size_x"]*at["tile_size_x"], at["block_size_y"]*at["tile_size_y"]
		outputs, warps := at["tile_size_x"]*at["tile_size_y"], math.Ceil(at["block_size_x"]*at["block_size_y"]/32)
		blocks := math.Ceil(4096/wide) * math.Ceil(4096/high)
		read := global * math.Pow(cached, at["read_only"])
		first := 0.0
		if at["use_shmem"] == 1 {
			read, first = shared, copied*(wide+14)*(high+14)/32
			if at["use_padding"] == 0 && at["block_size_x"] < 32 {
				read *= conflict
			}
		}
		work := 225 * warps * outputs * (mac + read/math.Sqrt(at["tile_size_y"]))
		work *= math.Pow(max(1, outputs/many), steep) * (1 + hidden/(warps*seats))
		time := blocks * (start + first + work)
		high64, _ := new(big.Float).SetInt(p.Ranges[0].High).Float64()
		off = append(off, math.Log(high64/1e9/time))
		out = append(out, tune.Measurement{At: texts(p), Time: time * lognormal(r, 0.1)})
	}
	// A device is as fast as its data sheet says, about: so is the median point.
	slices.Sort(off)
	scale := math.Exp(off[len(off)/2]) * lognormal(r, 0.3)
	for i := range out {
		out[i].Time *= scale
	}
	return out
}

// texts are the values of a point.
func texts(p tune.Point) (out []string) {
	for _, v := range p.Values {
		out = append(out, v.Text)
	}
	return out
}
