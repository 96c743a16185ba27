import AccessModel
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#endif

// Prints the number of decisions per second on one core, and compares their cost with faccessat(2).

/// If set, only measurements whose names contain this text are made.
let filter = CommandLine.arguments.dropFirst().first

/// Runs a closure for about 0.4 seconds, then prints and returns the nanoseconds per run.
@discardableResult
func measure(_ name: String, unit: Int = 1, _ body: () -> Int) -> Double {
  if let filter, !name.contains(filter) { return .nan }
  let clock = ContinuousClock()
  var sink = 0
  var batch = 1
  // Warm up, and find a batch size that is short enough to be rarely interrupted.
  while true {
    let time = clock.measure { for _ in 0..<batch { sink &+= body() } }
    if time > .microseconds(300) { break }
    batch *= 2
  }
  var best = Double.infinity
  let start = clock.now
  while clock.now - start < .milliseconds(400) {
    let time = clock.measure { for _ in 0..<batch { sink &+= body() } }
    let nanoseconds =
      Double(time.components.attoseconds) / 1e9 + Double(time.components.seconds) * 1e9
    best = min(best, nanoseconds / Double(batch * unit))
  }
  print(
    pad(name, 58), pad(String(Int((1e9 / best).rounded())), 12), "a second",
    pad(String(Int(best.rounded())), 8), "ns", sink == .min ? "!" : "")
  return best
}

func pad(_ text: String, _ width: Int) -> String {
  let space = String(repeating: " ", count: max(0, width - text.count))
  return text.first.map(\.isNumber) == true ? space + text : text + space
}

print("The best of all batches within 0.4 s, one thread.")

// A camera with the ACL that logind sets.
let camera = Fixture.camera(groups: 6, entries: 6)
let cameraRequest = Request.open(path: "/dev/video0", flags: [.readWrite])
let preparedCamera = PreparedCase(camera)
measure("verdict, /dev/video0, list of 6 entries") {
  preparedCamera.verdict(for: cameraRequest).isGranted ? 1 : 0
}
let accessRequest = Request.access(
  path: "/dev/video0", mode: [.read, .write], effective: true, noFollow: false)
let verdictTime = measure("verdict, the same as faccessat2") {
  preparedCamera.verdict(for: accessRequest).isGranted ? 1 : 0
}
for depth in [2, 3, 4, 8, 16, 64] {
  let prepared = PreparedCase(Fixture.deep(depth))
  let request = prepared.access.request
  measure("verdict, depth \(depth), list of 6 at the end") {
    prepared.verdict(for: request).isGranted ? 1 : 0
  }
}
for groups in [0, 16, 65_536] {
  let prepared = PreparedCase(Fixture.camera(groups: groups, entries: 6))
  measure("verdict, \(groups) groups") {
    prepared.verdict(for: cameraRequest).isGranted ? 1 : 0
  }
}
for entries in [6, 64, 512, 8_191] {
  let prepared = PreparedCase(Fixture.camera(groups: 16, entries: entries))
  measure("verdict, list of \(entries) entries, none matches") {
    prepared.verdict(for: cameraRequest).isGranted ? 1 : 0
  }
}
let links = PreparedCase(Fixture.links(40))
measure("verdict, chain of 40 links") {
  links.verdict(for: links.access.request).isGranted ? 1 : 0
}
let wide = PreparedCase(Fixture.wide(1_000))
measure("verdict, 1 of 1000 devices in one directory") {
  wide.verdict(for: wide.access.request).isGranted ? 1 : 0
}

measure("prepare and decide, 3 nodes, 16 groups") {
  PreparedCase(camera).verdict().isGranted ? 1 : 0
}
let large = Fixture.camera(groups: 65_536, entries: 6)
measure("prepare and decide, 65536 groups") { PreparedCase(large).verdict().isGranted ? 1 : 0 }
let wideCase = Fixture.wide(1_000)
measure("prepare and decide, 1000 devices") { PreparedCase(wideCase).verdict().isGranted ? 1 : 0 }
measure("decision with every step") { preparedCamera.decision(for: cameraRequest).steps.count }
measure("AccessCase.decide()") { camera.decide().steps.count }

let line = try JSONEncoder().encode(camera)
measure("parse one case of \(line.count) bytes") {
  (try? JSONDecoder().decode(AccessCase.self, from: line))?.nodes.count ?? 0
}
measure("parse, decide and write one case") {
  guard let value = try? JSONDecoder().decode(AccessCase.self, from: line) else { return 0 }
  let prepared = PreparedCase(value)
  let answer = CaseAnswer(id: value.id, prepared.verdict(), to: value.request, in: prepared)
  return (try? JSONEncoder().encode(answer))?.count ?? 0
}

#if canImport(Glibc)
  // The kernel resolves a path of the same depth.
  let systemCall = measure("faccessat2, the raw system call, /dev/null") {
    Int(Kernel.faccessat2("/dev/null", mode: 6))
  }
  if filter == nil {
    print("one verdict takes \(Int(100 * verdictTime / systemCall))% of one faccessat2")
  }
#endif
