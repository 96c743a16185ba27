import AccessModel
import Foundation
import Testing
import UdevRules

/// A machine with a rule that does not work, in the format of
/// `Tests/Fixtures/BrokenRules/README.md`.
struct BrokenRule: CustomTestStringConvertible {
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  let name: String
  private var version = 252
  private var devices: [UdevRuleDevice] = []
  private var recorded: [UdevRuleText: UdevRuleText] = [:]
  private var users: [UdevRuleText: UdevRuleFact<UInt32>] = [:]
  private var groups: [UdevRuleText: UdevRuleFact<UInt32>] = [:]
  private var handled: Int64? = 1000
  private var hasDaemon = true
  private var files: [(path: String, text: String, written: Int64, isMask: Bool)] = []
  private var state: [String: String] = [:]
  var action = "add"
  var rule = RuleReference(file: "")
  var code = ""
  var match: String?
  var found: String?
  var after: [(what: String, value: String)] = []

  var testDescription: String { name }

  static var folder: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/BrokenRules")
  }

  static var all: [BrokenRule] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        .filter { $0.hasSuffix(".txt") }.sorted()
        .map { try BrokenRule($0, String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }
  }

  init(_ name: String, _ text: String) throws {
    self.name = name
    for (number, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = raw.drop { $0 == " " || $0 == "\t" }
      guard !line.isEmpty, line.first != "#" else { continue }
      if line.first == "|" {
        guard !files.isEmpty else { throw Malformed(description: "\(name):\(number + 1)") }
        files[files.count - 1].text += line.dropFirst(2) + "\n"
        continue
      }
      guard let colon = line.firstIndex(of: ":") else {
        throw Malformed(description: "\(name):\(number + 1): no colon")
      }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      guard read(String(line[..<colon]), value) else {
        throw Malformed(description: "\(name):\(number + 1): \(line)")
      }
    }
  }

  private mutating func read(_ word: String, _ value: String) -> Bool {
    let pair = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { UdevRuleText(String($0)) }
    let last = devices.count - 1
    switch word {
    case "about": break
    case "systemd": version = Int(value) ?? 252
    case "device", "parent":
      devices.append(UdevRuleDevice(path: UdevRuleText(value), attributesAreComplete: true))
      devices[last + 1].properties["DEVPATH"] = UdevRuleText(value)
    case "subsystem" where last >= 0:
      devices[last].subsystem = UdevRuleText(value)
      devices[last].properties["SUBSYSTEM"] = UdevRuleText(value)
    case "driver" where last >= 0: devices[last].driver = UdevRuleText(value)
    case "node" where last >= 0:
      devices[last].node = UdevRuleText(value)
      devices[last].properties["DEVNAME"] = UdevRuleText(value)
    case "number" where last >= 0:
      let numbers = value.split(separator: ":").compactMap { UInt32($0) }
      guard numbers.count == 2 else { return false }
      devices[last].number = UdevRuleDevice.Number(major: numbers[0], minor: numbers[1])
      devices[last].properties["MAJOR"] = UdevRuleText(String(numbers[0]))
      devices[last].properties["MINOR"] = UdevRuleText(String(numbers[1]))
    case "attribute" where last >= 0 && pair.count == 2:
      devices[last].attributes[pair[0]] = .present(pair[1])
    case "property" where last >= 0 && pair.count == 2: devices[last].properties[pair[0]] = pair[1]
    case "tag" where last >= 0: devices[last].tags.insert(UdevRuleText(value))
    case "recorded" where pair.count == 2: recorded[pair[0]] = pair[1]
    case "user" where pair.count == 2:
      users[pair[0]] = UInt32(pair[1].description).map { .present($0) }
    case "group" where pair.count == 2:
      groups[pair[0]] = UInt32(pair[1].description).map { .present($0) }
    case "handled": handled = Int64(value)
    case "daemon": hasDaemon = value != "no"
    case "file": files.append((value, "", 0, false))
    case "mask": files.append((value, "", 0, true))
    case "written" where !files.isEmpty: files[files.count - 1].written = Int64(value) ?? 0
    case "seat":
      files.append(
        (
          "/usr/lib/udev/rules.d/73-seat-late.rules",
          #"TAG=="uaccess", ENV{MAJOR}!="", RUN{builtin}+="uaccess""# + "\n", 0, false
        ))
    case "action": action = value
    case "ask":
      let parts = value.split(separator: ":")
      rule = RuleReference(
        file: String(parts[0]), line: parts.dropFirst().first.flatMap { Int($0) })
    case "mode", "uid", "gid": state[word] = value
    case "expect code": code = value
    case "expect match": match = value
    case "expect found": found = value
    case "expect after":
      after =
        value == "nothing"
        ? []
        : value.split(separator: " ").compactMap { part in
          let halves = part.split(separator: "=").map(String.init)
          return halves.count == 2 ? (halves[0], halves[1]) : nil
        }
    default: return false
    }
    return true
  }

  /// The rules files as described.
  var ruleFiles: [RuleFile] {
    files.map { file in
      let url = URL(filePath: file.path)
      return RuleFile(
        folder: url.deletingLastPathComponent().path(percentEncoded: false).trimmingSlash,
        name: url.lastPathComponent, state: file.isMask ? .empty : .rules,
        bytes: Array(file.text.utf8), modified: file.written)
    }
  }

  /// Returns the facts with the given files.
  func facts(_ files: [RuleFile]) -> RuleFacts {
    let order = UdevRuleFileChoice.folders
    let sorted = files.sorted {
      (order.firstIndex(of: $0.folder) ?? 9, $0.name) < (
        order.firstIndex(of: $1.folder) ?? 9, $1.name
      )
    }
    var facts = RuleFacts(
      node: devices.first?.node?.description ?? "/dev/none", files: sorted,
      version: UdevRuleVersion(version))
    facts.device = devices.first
    facts.parents = Array(devices.dropFirst())
    facts.record = UdevRuleEvent.Record(properties: recorded)
    facts.handled = handled
    facts.environment.users = users
    facts.environment.groups = groups
    for name in ["root", "video", "audio", "plugdev", "dialout", "input"] {
      let name = UdevRuleText(name)
      if facts.environment.groups[name] == nil { facts.environment.groups[name] = .absent }
      if facts.environment.users[name] == nil { facts.environment.users[name] = .absent }
    }
    facts.daemon.isReachable = hasDaemon
    return facts
  }

  /// The current node; `nil` if the description does not contain it.
  var node: Node? {
    guard let mode = state["mode"].flatMap({ UInt16($0, radix: 8) }) else { return nil }
    return Node(
      path: devices.first?.node?.description ?? "/dev/none", type: .characterDevice, mode: mode,
      uid: state["uid"].flatMap { UInt32($0) } ?? 0, gid: state["gid"].flatMap { UInt32($0) } ?? 0)
  }
}

extension String {
  fileprivate var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
