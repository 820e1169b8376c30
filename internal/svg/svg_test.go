package svg_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/svg"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		`<svg xmlns="http://www.w3.org/2000/svg"><rect id="a" fill="red"/></svg>`:                             `<svg><rect id="a" fill="red"></rect></svg>`,
		`<svg><script>alert(1)</script><g onload="alert(1)" onClick="x"/></svg>`:                              `<svg><g></g></svg>`,
		`<svg><a href="http://x"><rect/></a><image href="http://x"/></svg>`:                                   `<svg></svg>`,
		`<svg><use href="http://x#a"/><use href="#a"/></svg>`:                                                 `<svg><use></use><use href="#a"></use></svg>`,
		`<svg xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="data:x"/></svg>`:                    `<svg><use></use></svg>`,
		`<svg><rect fill="url(http://x)"/><rect fill="url(#g)"/><rect fill="u\72l(//x)"/></svg>`:              `<svg><rect></rect><rect fill="url(#g)"></rect><rect></rect></svg>`,
		`<svg><rect style="background:url(//x)"/><style>@import "//x"</style></svg>`:                          `<svg><rect></rect></svg>`,
		`<svg><foreignObject><iframe src="x"/></foreignObject><animate attributeName="href" to="//x"/></svg>`: `<svg></svg>`,
		`<svg><text>&lt;script&gt;</text></svg>`:                                                              `<svg><text>&lt;script&gt;</text></svg>`,
		`<svg><h:script xmlns:h="http://www.w3.org/1999/xhtml">x</h:script></svg>`:                            `<svg></svg>`,
		`<svg><g id="&quot;&gt;&lt;script&gt;"/></svg>`:                                                       `<svg><g id="&#34;&gt;&lt;script&gt;"></g></svg>`,
	} {
		got, _, err := svg.Clean([]byte(in))
		if err != nil || got != want {
			t.Errorf("%s\n got %s (%v)\nwant %s", in, got, err, want)
		}
	}
	for _, in := range []string{"", "text", "<html/>", "<svg>", `<svg/><svg/>`, "<svg>" + strings.Repeat("<g>", 300) + strings.Repeat("</g>", 300) + "</svg>", `<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>`} {
		if got, _, err := svg.Clean([]byte(in)); err == nil {
			t.Errorf("%q is no picture, and became %q", in, got)
		}
	}
}
