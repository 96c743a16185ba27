import AccessModel
import CaseGenerator
import Testing

@Suite("Fixes of random refused scenes", .requiresKernelOracle, .serialized)
struct RandomFixTests {
  @Test func `Every fix grants, and to nobody whom it does not name`() throws {
    let oracle = try KernelOracle()
    let comparison = try FixRun(seed: 1, options: oracle.options()).compare(count: 48, on: oracle)
    #expect(comparison.scenes == 48)
    #expect(comparison.fixes > 12)
    let text = comparison.descriptions.prefix(5).joined(separator: "\n")
    #expect(comparison.faults.isEmpty, "\(text)")
  }

  /// Errors to plant in a fix.
  static let distortions: [(name: String, fault: FixComparison.Fault)] = [
    ("a first command that is missing", .withoutEffect),
    ("a fix whose mask cuts its own entry", .withoutEffect),
    ("a list opened to everybody", .unnamedGain),
    ("a list whose other entries are not cut down", .unnamedGain),
    ("an entry that takes what the user had", .unnamedLoss),
    ("a remount that does not say who gains", .unnamedGain),
    ("a change of the wrong object", .elsewhere),
  ]

  @Test(arguments: distortions)
  func `A wrong fix is noticed`(distortion: (name: String, fault: FixComparison.Fault)) throws {
    let oracle = try KernelOracle()
    let name = distortion.name
    let comparison = try FixRun(seed: 2, options: oracle.options())
      .compare(count: 400, on: oracle, until: distortion.fault) { Self.distorted($0, name) }
    #expect(comparison.fixes > 0)
    #expect(comparison.faults[distortion.fault] ?? 0 > 0)
  }

  private static func distorted(_ remedy: Remedy, _ name: String) -> Remedy? {
    var remedy = remedy
    guard let step = remedy.steps.firstIndex(where: { !$0.commands.isEmpty }) else { return nil }
    let command = remedy.steps[step].commands[0]
    let isEntry = remedy.steps.count == 1 && command.hasPrefix("setfacl -m u:")
    let words = command.split(separator: " ")
    guard let place = words.last else { return nil }
    switch name {
    case "a first command that is missing":
      remedy.steps[step].commands.removeFirst()
    case "a fix whose mask cuts its own entry":
      guard isEntry else { return nil }
      remedy.steps[step].commands.append("setfacl -m m::--- \(place)")
    case "a list opened to everybody":
      guard isEntry else { return nil }
      remedy.steps[step].commands.append("setfacl -m o::rwx \(place)")
    case "a list whose other entries are not cut down":
      guard isEntry, words[2].contains(",") else { return nil }
      let own = words[2].prefix { $0 != "," }
      remedy.steps[step].commands[0] = "setfacl -m \(own) \(place)"
    case "an entry that takes what the user had":
      guard isEntry else { return nil }
      remedy.steps[step].commands.append(
        "setfacl -m \(words[2].prefix { $0 != "," }.dropLast(1)) \(place)")
    case "a remount that does not say who gains":
      guard command.hasPrefix("mount -o remount"),
        remedy.gains.contains(where: { $0.who != .subject })
      else { return nil }
      remedy.gains = []
      remedy.excess = nil
    default:
      remedy.steps[step].changes.append(.setMode(path: "/elsewhere", mode: 0o777))
    }
    return remedy
  }
}
