import AccessModel
import Foundation
import UdevRules

/// The files of a machine in a temporary directory, in which the printed commands are run.
final class FixedMachine {
  private let root = FileManager.default.temporaryDirectory
    .appending(path: "devaccess-rules-\(UUID().uuidString)").path(percentEncoded: false)

  init(_ files: [RuleFile]) throws {
    for folder in UdevRuleFileChoice.folders + files.map(\.folder) {
      try FileManager.default.createDirectory(
        atPath: root + folder, withIntermediateDirectories: true)
    }
    for file in files {
      try Data(file.bytes).write(to: URL(filePath: root + file.path))
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Runs the printed commands with paths below the directory, and skips commands that trigger an
  /// event.
  ///
  /// - Returns: The event that they trigger; `nil` if there is none.
  func run(_ commands: [String]) throws -> String? {
    var action: String?
    for command in commands {
      let words = command.split(separator: " ")
      if words.first == "udevadm" || words.first == "systemctl" {
        guard words.contains("trigger") else { continue }
        let option = words.first { $0.hasPrefix("--action=") }
        action = option.map { String($0.dropFirst("--action=".count)) } ?? "change"
        continue
      }
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      // Paths in commands start a word or follow a quotation mark.
      process.arguments = ["-c", moved(command)]
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw BrokenRule.Malformed(description: "\(command): status \(process.terminationStatus)")
      }
    }
    return action
  }

  private func moved(_ command: String) -> String {
    var moved = command
    for folder in UdevRuleFileChoice.folders + ["/home/", "/root/"] {
      moved = moved.replacingOccurrences(of: " " + folder, with: " " + root + folder)
      moved = moved.replacingOccurrences(of: " '" + folder, with: " '" + root + folder)
    }
    return moved
  }

  /// The current files.
  var files: [RuleFile] {
    get throws {
      try UdevRuleFileChoice.folders.flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: root + folder).sorted().map { name in
          let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(root)\(folder)/\(name)")))
          return RuleFile(
            folder: folder, name: name, state: bytes.isEmpty ? .empty : .rules, bytes: bytes)
        }
      }
    }
  }
}
