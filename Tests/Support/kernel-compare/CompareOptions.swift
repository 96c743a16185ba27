/// The arguments of `kernel-compare`.
struct CompareOptions {
  var seed: UInt64 = 1
  var seeds = 1
  var cases = 100_000
  var jobs = 1
  var mayLiftLinkRestriction = false
  var wantsRules = false
  var wantsFaults = false
  var wantsHelp = false
  /// A Boolean value that indicates whether to try fixes instead of comparing answers.
  var triesFixes = false
  var wantsUnfixed = false

  static let help = """
    Usage: kernel-compare [--seed N] [--seeds N] [--cases N] [--jobs N]
                          [--lift-link-restriction] [--rules] [--faults]
           kernel-compare fixes [--seed N] [--seeds N] [--count N] [--rules] [--unfixed]

    Asks the running kernel and the model the same random questions and compares the answers.
    Needs root in the initial user namespace.

      --seed N    the first seed (1); the same seed gives the same cases
      --seeds N   how many seeds, one after another (1)
      --cases N   cases of each seed (100000), rounded up to whole trees
      --jobs N    how many trees at once (1)
      --lift-link-restriction
                  on a machine with fs.protected_symlinks = 1, set it to 0 for everyone while
                  trees without it are compared
      --rules     also print how many cases each rule decided
      --faults    also print how many cases each planted fault would get wrong

    With "fixes" random refused scenes are explained instead, and every fix that is proven is run
    literally in its scene: the subject must then be granted, and nobody may gain or lose whom the
    fix does not name. The tools are the machine's own (setfacl, chmod, chattr, mount, usermod).

      --count N   refused scenes of each seed (2000)
      --unfixed   also print the scenes without a proven fix

    Exit status: 0 all answers agree, 1 some do not or no case shows some fault, 2 the kernel
    cannot be asked, 64 usage.
    """

  init?(_ arguments: [String]) {
    var rest = arguments[...]
    if rest.first == "fixes" {
      triesFixes = true
      cases = 2_000
      rest.removeFirst()
    }
    while let name = rest.popFirst() {
      switch name {
      case "--help": wantsHelp = true
      case "--faults": wantsFaults = true
      case "--rules": wantsRules = true
      case "--unfixed": wantsUnfixed = true
      case "--lift-link-restriction": mayLiftLinkRestriction = true
      case "--seed":
        guard let value = rest.popFirst().flatMap(UInt64.init) else { return nil }
        seed = value
      case "--seeds", "--cases", "--jobs", "--count":
        guard let value = rest.popFirst().flatMap({ Int($0) }), (1...1_000_000_000) ~= value
        else { return nil }
        if name == "--seeds" { seeds = value }
        guard (name == "--count") == triesFixes || name == "--seeds" else { return nil }
        if name == "--cases" || name == "--count" { cases = value }
        if name == "--jobs" { jobs = value }
      default: return nil
      }
    }
  }
}
