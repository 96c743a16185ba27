import AccessModel
import Foundation
import Testing
import UdevRules

/// The rules of the distribution, if they are installed.
@Suite struct InstalledRulesTests {
  static let folder = "/usr/lib/udev/rules.d"

  static var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasSuffix(".rules") }.sorted()
  }

  static var areDeviceRulesInstalled: Bool {
    ["60-persistent-v4l.rules", "70-uaccess.rules", "71-seat.rules"].allSatisfy(names.contains)
  }

  @Test(.enabled(if: !names.isEmpty, "no rules are installed"))
  func `the distribution's rules have no problem, and can be applied`() throws {
    let files = try Self.names.map { name in
      UdevRuleFile(
        path: "\(Self.folder)/\(name)",
        bytes: [UInt8](try Data(contentsOf: URL(filePath: "\(Self.folder)/\(name)"))), version: 252)
    }
    // Older rules use `+=` to assign a value, and contain names that only newer versions know.
    let allowed: Set<UdevRuleProblem.Code> = [.assumedOperator, .unknownOption]
    let problems = files.flatMap { file in
      file.problems.filter { !allowed.contains($0.code) }.map {
        "\(file.path):\($0.line): \($0.title)"
      }
    }
    #expect(problems.isEmpty)
    let report = UdevRuleSet(files).evaluate(Sample.event, Sample.environment)
    #expect(report.outcomes.count > files.count)
  }
}
