internal import AccessModel
internal import CLinux
internal import Glibc
internal import MessageBus

/// Finds out for which users polkit denies access to cards in smart-card readers.
///
/// pcscd is detected by its socket, and polkit is asked only if it is running. Nothing is started.
struct CardObserver {
  var roots: MachineRoots

  /// The socket on which pcscd, or systemd on its behalf, listens.
  private var socket: String { "\(roots.run)/pcscd/pcscd.comm" }
  private var share: String { AbsolutePath.parent(of: roots.lib) + "/share" }
  private var policy: String { "\(share)/polkit-1/actions/org.debian.pcsc-lite.policy" }

  /// Observes pcscd and polkit.
  ///
  /// - Parameters:
  ///   - process: The process to ask polkit about, if any.
  ///   - reader: Records what could not be read.
  /// - Returns: The facts; `nil` if no daemon serves readers, or if it does not ask polkit.
  func observe(
    process: Int32?, _ reader: inout HardwareReader
  ) -> HardwareFacts.CardService? {
    var status = stat()
    guard unsafe lstat(ByteText(socket).cString, &status) == 0,
      FileType(mode: status.st_mode) == .socket,
      // If pcscd was built without polkit, it installs no actions.
      let bytes = reader.bytes(policy, limit: 1 << 18), !hasOption("--disable-polkit")
    else { return nil }
    let refused = Self.refused(by: bytes)
    var service = HardwareFacts.CardService(refused: refused, rules: rules())
    if let process, roots == MachineRoots() { service.answer = Self.answer(about: process) }
    return service
  }

  /// Returns whether the daemon is running with the given option.
  private func hasOption(_ option: String) -> Bool {
    guard let process = ServiceObserver(roots: roots).process(of: "pcscd.service"),
      let file = try? BoundedFile.read("\(roots.proc)/\(process)/cmdline", limit: 1 << 14)
    else { return false }
    return file.bytes.split(separator: 0).contains { $0.elementsEqual(option.utf8) }
  }

  // MARK: Defaults

  /// Returns the session states for which the policy file denies access.
  ///
  /// Like polkit, it treats a missing default as `no`. If an action that pcscd requires is missing,
  /// access is denied in all states.
  static func refused(by policy: [UInt8]) -> [HardwareFacts.CardService.Standing] {
    let text = String(decoding: policy, as: UTF8.self)
    let elements = ["any": "allow_any", "inactive": "allow_inactive", "active": "allow_active"]
    return HardwareFacts.CardService.Standing.allCases.filter { standing in
      HardwareFacts.CardService.actions.contains { name in
        guard let action = action(name, in: text) else { return true }
        let value = elements[standing.rawValue].flatMap { element($0, in: action) }
        return value == nil || value == "no"
      }
    }
  }

  /// Returns the text of the element `<action id="…">`, if it is not inside a comment.
  private static func action(_ name: String, in text: String) -> Substring? {
    for part in parts(of: text, between: "<action", and: "</action>") {
      let head = part.prefix { $0 != ">" }
      if head.contains("\"\(name)\"") || head.contains("'\(name)'") { return part }
    }
    return nil
  }

  private static func element(_ name: String, in text: Substring) -> String? {
    let value = parts(of: String(text), between: "<\(name)>", and: "</\(name)>").first
    return value.map { String($0.filter { !$0.isWhitespace }) }
  }

  /// Returns the texts between two markers, without those that start inside a comment.
  private static func parts(
    of text: String, between start: String, and end: String
  ) -> [Substring] {
    var parts: [Substring] = []
    var rest = Substring(text)
    while parts.count < 256, let begin = rest.firstRange(of: start) {
      let comment = rest.firstRange(of: "<!--")
      if let comment, comment.lowerBound < begin.lowerBound {
        guard let over = rest[comment.upperBound...].firstRange(of: "-->") else { break }
        rest = rest[over.upperBound...]
        continue
      }
      guard let finish = rest[begin.upperBound...].firstRange(of: end) else { break }
      parts.append(rest[begin.upperBound..<finish.lowerBound])
      rest = rest[finish.upperBound...]
    }
    return parts
  }

  // MARK: Rules

  /// Determines whether rules concern the actions; `nil` if a folder or file cannot be read.
  private func rules() -> HardwareFacts.CardService.Rules? {
    var found = HardwareFacts.CardService.Rules.none
    let usr = AbsolutePath.parent(of: roots.lib)
    let parents = [roots.etc, roots.run, "\(usr)/local/share", share]
    for folder in parents.map({ "\($0)/polkit-1/rules.d" }) {
      let names: [String]
      do throws(Errno) {
        names = try Directory.names(in: folder) ?? []
      } catch {
        return nil
      }
      for name in names.prefix(HardwareReader.mostNames) where name.hasSuffix(".rules") {
        guard let file = try? BoundedFile.read("\(folder)/\(name)", limit: 1 << 20) else {
          return nil
        }
        let text = String(decoding: file.bytes, as: UTF8.self)
        if text.contains("pcsc-lite") { return .named }
        // addAdminRule only defines the administrators. It does not decide about an action.
        if text.contains("addRule") { found = .other }
      }
    }
    return found
  }

  // MARK: Polkit's decision

  private static let timeout = Duration.seconds(1)

  /// Asks polkit whether a process may perform all actions.
  ///
  /// The result is `nil` if polkit does not respond. For processes of other users, it responds only
  /// to root.
  private static func answer(about process: Int32) -> HardwareFacts.CardService.Answer? {
    guard let bus = try? BusConnection(.system) else { return nil }
    var worst = HardwareFacts.CardService.Answer.yes
    for action in HardwareFacts.CardService.actions {
      // If the start time is 0, polkit determines the actual time.
      let subject: BusArgument = .structure([
        .text("unix-process"),
        .dictionary([
          "pid": .unsigned(UInt32(process)), "start-time": .wide(0),
        ]),
      ])
      let call = BusCall(
        "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
        "org.freedesktop.PolicyKit1.Authority", "CheckAuthorization",
        [subject, .text(action), .array(of: "{ss}", []), .unsigned(0), .text("")],
        startsService: false)
      guard
        let values = try? bus.call(
          call, within: timeout, limits: BusLimits(text: 4095, values: 1024, depth: 8)),
        let members = values.first?.elements, members.count >= 2,
        case .boolean(let isAuthorized) = members[0], case .boolean(let isChallenge) = members[1]
      else { return nil }
      guard isAuthorized || isChallenge else { return .no }
      if !isAuthorized { worst = .challenge }
    }
    return worst
  }
}
