package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// announced are entries about models of the published work that its tables do not have, each with an oracle: a
// simulation of the description, tick by tick, which knows nothing of the closed form.
var announced = []struct {
	entry, title string
	text         string
	instances    []map[string]int64
	time         func(at map[string]int64) int64
}{
	{
		"spin_units", "The model in full",
		"Here the host activates devices, these activate units, and each element reports before the clock goes on. The machine refines `spin_abstract`, so\nthe times of table 1 are the same; two more instances have several devices.",
		[]map[string]int64{{"size": 8, "NP": 4, "NU": 2, "ND": 1, "GMT": 4}, {"size": 16, "NP": 4, "NU": 2, "ND": 1, "GMT": 4}, {"size": 64, "NP": 4, "NU": 2, "ND": 1, "GMT": 4}, {"size": 64, "NP": 4, "NU": 2, "ND": 2, "GMT": 4}, {"size": 64, "NP": 2, "NU": 3, "ND": 3, "GMT": 7}},
		func(at map[string]int64) int64 {
			share := at["size"] / at["WG"]
			share = share/at["ND"] + share%at["ND"]
			share = share/at["NU"] + share%at["NU"]
			if share != 1 {
				share++
			}
			var time, start int64
			for range share * max(1, at["WG"]/at["NP"]) {
				start = time
				for range at["size"] / at["TS"] {
					await(&time, start+at["GMT"]*at["TS"])
					start = time
					await(&time, start+at["TS"])
				}
				start = time
				await(&time, start+at["GMT"])
			}
			return time
		},
	},
	{
		"spin_warps", "The warp model",
		"The warp model of the paper in Russian (Garanina and Gorlatch, 2021) has no table of results. As listed, it never ticks: the theorem\n`spin_listed_warps/never_ticks` proves that the condition of its clock is false in every state. The machine `spin_warps` repairs what blocks, and keeps\nthe rest as listed: one tile too many, one group too many, both branches executed by everyone, and a `start` that is set once.",
		[]map[string]int64{{"size": 16, "WR": 2, "ND": 2, "GMT": 4}, {"size": 64, "WR": 4, "ND": 2, "GMT": 4}, {"size": 1024, "WR": 16, "ND": 2, "GMT": 100}},
		func(at map[string]int64) int64 {
			groups := at["size"] / at["WG"]
			if groups > 1 {
				groups++
			}
			var time int64
			for range groups {
				for range at["WG"] / (at["WR"] * at["ND"]) {
					start := time
					for i := int64(0); i <= at["size"]/at["TS"]; i++ {
						await(&time, start+at["GMT"])
						time += 2
					}
					start = time
					await(&time, start+at["GMT"])
				}
			}
			return time
		},
	},
	{
		"spin_matrix", "Matrix multiplication",
		"The papers announce matrix multiplication on an Ampere GPU. A group computes a square tile of the product. The last instance has the number\nof multiprocessors, cores and local memory of an A100.",
		[]map[string]int64{{"n": 16, "NP": 4, "NU": 2, "GMT": 4, "sync": 1, "memory": 1024}, {"n": 64, "NP": 4, "NU": 2, "GMT": 4, "sync": 1, "memory": 1024}, {"n": 1024, "NP": 64, "NU": 108, "GMT": 100, "sync": 20, "memory": 41984}},
		func(at map[string]int64) int64 {
			var time int64
			for range onOneUnit(at["n"]/at["TS"]*(at["n"]/at["TS"]), at["NU"]) {
				for item := int64(0); item < at["TS"]*at["TS"]; item += at["NP"] {
					for range at["n"] / at["TS"] {
						time += at["GMT"] + at["GMT"] + at["sync"]
						time += at["TS"] + at["sync"]
					}
					time += at["GMT"]
				}
			}
			return time
		},
	},
	{
		"spin_outlook", "Work items and communication",
		"The outlook of both papers names the number of work items as a parameter, and the time of communication. Here a work item computes several\nresults, and a unit and an element exchange two messages of `COM` ticks for each item.",
		[]map[string]int64{{"size": 64, "NP": 4, "NU": 2, "GMT": 4, "COM": 0, "tick_energy": 8, "access_energy": 2}, {"size": 64, "NP": 4, "NU": 2, "GMT": 4, "COM": 20, "tick_energy": 8, "access_energy": 2}},
		func(at map[string]int64) int64 {
			var time int64
			for range onOneUnit(at["WI"]/at["WG"], at["NU"]) {
				for item := int64(0); item < at["WG"]; item += at["NP"] {
					time += at["COM"]
					for range at["size"] / at["TS"] {
						time += at["GMT"] * at["TS"]
						for range at["size"] / at["WI"] {
							time += at["TS"]
						}
					}
					time += at["GMT"] * (at["size"] / at["WI"])
					time += at["COM"]
				}
			}
			return time
		},
	},
}

// await ends at the first tick after until.
func await(time *int64, until int64) {
	for *time <= until {
		*time++
	}
}

// onOneUnit is how many of some groups the busiest of some units executes.
func onOneUnit(groups, units int64) (most int64) {
	busy := make([]int64, units)
	for g := range groups {
		busy[g%units]++
	}
	return slices.Max(busy)
}

// announcedPage holds every point of the entries against its oracle, and writes what is best.
func announcedPage(t *testing.T, p *project.Project) string {
	t.Helper()
	var out strings.Builder
	for _, e := range announced {
		fmt.Fprintf(&out, "\n## %s\n\n%s Entry `%s`:\n\n| instance | points | proved optimum | at |\n|---|---|---|---|\n", e.title, e.text, e.entry)
		for _, instance := range e.instances {
			answer, optima := bestOf(t, entryOf(t, p, e.entry, instance), "closed_form")
			valid := 0
			for i := range answer.Points {
				if answer.Points[i].Illegal == "" {
					valid++
					checkAnnounced(t, e.entry, instance, answer, i, e.time)
				}
			}
			var given []string
			for _, g := range answer.Given {
				given = append(given, g.Name+"="+g.Value.Text)
			}
			where := joinedNames(answer.Names, optima[0])
			if len(optima) > 1 {
				where += fmt.Sprintf(" and %d more", len(optima)-1)
			}
			fmt.Fprintf(&out, "| %s | %d | %s | %s |\n", strings.Join(given, " "), valid, answer.Worth(&answer.Points[answer.Best[0]], 0), where)
		}
	}
	out.WriteString("\nA test simulates each description tick by tick, and compares every point. Energy is the second objective of entry `spin_energy`: a tick of the\nplatform and an access to global memory have their costs. `gradine tune spin_energy` lists the points that no other dominates.\n")
	return out.String()
}

// entryOf is an entry of a project that is open, for one instance.
func entryOf(t *testing.T, p *project.Project, entry string, instance map[string]int64) *tune.Entry {
	t.Helper()
	var given []project.Assignment
	for _, k := range slices.Sorted(maps.Keys(instance)) {
		given = append(given, project.Assignment{Name: k, Value: fmt.Sprint(instance[k])})
	}
	opened, err := p.Entry(entry, p.Config.Tune[entry], given)
	must(err)
	return opened
}

func joinedNames(names []string, p *tune.Point) string {
	var parts []string
	for i, n := range names {
		parts = append(parts, n+"="+p.Values[i].Text)
	}
	return strings.Join(parts, " ")
}

// checkAnnounced compares a point with the oracle.
func checkAnnounced(t *testing.T, entry string, instance map[string]int64, answer *tune.Answer, i int, time func(map[string]int64) int64) {
	t.Helper()
	at := map[string]int64{}
	for name, v := range instance {
		at[name] = v
	}
	p := &answer.Points[i]
	for k, n := range answer.Names {
		at[n] = p.Values[k].Int.Int64()
	}
	valued := p
	if !p.Known() && p.SameAs >= 0 {
		valued = &answer.Points[p.SameAs]
	}
	if !valued.Known() {
		t.Fatalf("%s: the value of %s is not known", entry, joinedNames(answer.Names, p))
	}
	if got, want := answer.Worth(valued, 0).Int64(), time(at); got != want {
		t.Errorf("%s %v at %s: %d, and %d by simulation", entry, instance, joinedNames(answer.Names, p), got, want)
	}
}
