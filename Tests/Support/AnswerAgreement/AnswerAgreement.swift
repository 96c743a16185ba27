public import AccessModel
internal import DeviceAccessCommands
internal import DevicePermissions
internal import Foundation
internal import LegoKit

/// Checks that the library, the store, the list and the command give the same answer.
public struct AnswerAgreement: Sendable {
  private let facts: AccessFacts
  private let explanation: Explanation

  public init(_ facts: AccessFacts) {
    self.facts = facts
    explanation = facts.explain()
  }

  /// Returns the differences, one clause each.
  public func problems() async throws -> [String] {
    try await withContractors {
      let machine = RecordedFactsMachine(facts: facts)
      $0.devices = DeviceService(machine: machine)
      $0.permissions = PermissionsService(machine: machine)
    } operation: {
      try await storeProblems() + commandProblems() + snapshotProblems() + listProblems()
    }
  }

  /// The exit status that the manual defines for the answer.
  private var exitStatus: Int32 {
    switch explanation.answer {
    case .allowed: 0
    case .refused: 1
    case .undetermined: 2
    case .absent: 3
    }
  }

  private var expected: ShownAnswer {
    ShownAnswer(
      answer: explanation.answer.rawValue, status: explanation.status.rawValue,
      availability: explanation.availability.rawValue, certainty: explanation.certainty.rawValue,
      exitStatus: exitStatus)
  }

  private func storeProblems() async throws -> [String] {
    let permissions = Lego(
      PermissionsBlueprint.Design(), blueprint: PermissionsBlueprint(),
      adaptors: [PermissionsAdaptor()])
    await permissions.build(.requestPermissionStatus).finished()
    let devices = Lego(
      DeviceBlueprint.Design(), blueprint: DeviceBlueprint(), adaptors: [DeviceAdaptor()])
    await devices.build(.explain(Question(.kind(.camera)))).finished()
    var found: [String] = []
    for report in [permissions.design.cameraReport, permissions.design.albumReport] {
      guard let report else {
        found.append("the store has no report")
        continue
      }
      let shown = ShownAnswer(
        answer: report.answer.rawValue, status: report.status.rawValue,
        availability: report.availability.rawValue, certainty: report.certainty.rawValue,
        exitStatus: exitStatus)
      found += differences(shown, in: "the store")
    }
    if permissions.design.camera != explanation.status { found.append("the store's status") }
    if devices.design.explanation != explanation { found.append("the store's explanation") }
    return found
  }

  private func commandProblems() async throws -> [String] {
    let object = facts.kind ?? "/recorded"
    var found: [String] = []
    for command in ["check", "explain"] {
      found += try await problems(of: [command, object, "--json"])
    }
    let quiet = await run(["check", object, "--quiet"])
    if quiet.status != exitStatus { found.append("check --quiet exits with \(quiet.status)") }
    let shown = try JSONDecoder().decode(
      ShownAnswer.Statuses.self, from: Data(await run(["status", "--json"]).output.utf8))
    for var permission in shown.permissions {
      permission.exitStatus = exitStatus
      found += differences(permission, in: "status --json")
    }
    return found
  }

  /// Checks that a snapshot gives the same answer after it was written and read.
  private func snapshotProblems() async throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try JSONEncoder().encode(facts).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await problems(of: ["check", "--from=\(file.path)", "--json"])
  }

  /// Checks that the list shows access as granted exactly if the answer for this access is
  /// `allowed`.
  private func listProblems() async throws -> [String] {
    guard let kind = facts.kind.flatMap(DeviceKind.named), kind.subsystem != nil else { return [] }
    let wanted = explanation.wanted
    let devices = Lego(
      DeviceBlueprint.Design(), blueprint: DeviceBlueprint(), adaptors: [DeviceAdaptor()])
    await devices.build(.list(kind)).finished()
    let listings = devices.design.listings[kind] ?? []
    return explanation.candidates.compactMap { candidate in
      // For some kinds, such as cameras, the list also contains other devices of the subsystem.
      guard let device = candidate.device, !kind.members(in: [device]).isEmpty else { return nil }
      guard let listing = listings.first(where: { $0.device == device }) else {
        return "the list lacks \(candidate.path)"
      }
      let isEach = listing.access?.isSuperset(of: wanted) ?? false
      let isGranted = wanted == [.read, .write] ? isEach && listing.allowsBoth : isEach
      return isGranted == (candidate.answer == .allowed)
        ? nil : "the list for \(candidate.path) of \(candidate.answer)"
    }
  }

  private func problems(of arguments: [String]) async throws -> [String] {
    let result = await run(arguments)
    let place = arguments.joined(separator: " ")
    guard let shown = try? JSONDecoder().decode(ShownAnswer.self, from: Data(result.output.utf8))
    else { return ["\(place) wrote \(result.output.prefix(200))"] }
    let isSame = result.status == exitStatus
    return differences(shown, in: place) + (isSame ? [] : ["\(place) exits with \(result.status)"])
  }

  private func differences(_ shown: ShownAnswer, in place: String) -> [String] {
    shown == expected ? [] : ["\(place): \(shown), not \(expected)"]
  }

  private func run(_ arguments: [String]) async -> (output: String, status: Int32) {
    let output = CommandSink()
    let program = DeviceAccessProgram(
      environment: [:], input: -1, output: output, errors: CommandSink())
    let status = await program.run(arguments)
    return (output.text, status.rawValue)
  }
}
