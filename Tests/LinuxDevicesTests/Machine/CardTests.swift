import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// The users that polkit keeps from smart cards, read from files like the ones of pcscd and polkit.
final class CardTests {
  private let directory: TemporaryDirectory
  private let roots: MachineRoots

  init() throws {
    directory = try TemporaryDirectory()
    roots = MachineRoots(below: directory)
  }

  private static let file = "usr/share/polkit-1/actions/org.debian.pcsc-lite.policy"

  /// Returns a file of actions in the format of polkit(8), worded differently than pcscd's own.
  private static func actions(
    pcsc: (any: String, inactive: String, active: String) = ("no", "no", "yes"),
    card: (any: String, inactive: String, active: String) = ("no", "no", "yes")
  ) -> String {
    func action(_ name: String, _ word: (any: String, inactive: String, active: String)) -> String {
      """
        <action id="org.debian.pcsc-lite.\(name)">
          <message>May it?</message>
          <defaults>
            <allow_any>\(word.any)</allow_any>
            <allow_inactive>\(word.inactive)</allow_inactive>
            <allow_active> \(word.active) </allow_active>
          </defaults>
        </action>

      """
    }
    return "<?xml version=\"1.0\"?>\n<policyconfig>\n" + action("access_pcsc", pcsc)
      + action("access_card", card) + "</policyconfig>\n"
  }

  private func serve(_ actions: String = CardTests.actions()) throws {
    try directory.directory("run/pcscd")
    try #require(unsafe mknod("\(directory.path)/run/pcscd/pcscd.comm", S_IFSOCK | 0o666, 0) == 0)
    try directory.file(Self.file, actions)
  }

  private func observe() -> HardwareFacts.CardService? {
    var reader = HardwareReader()
    return CardObserver(roots: roots).observe(process: nil, &reader)
  }

  @Test func `a daemon that asks polkit refuses all but the active session`() throws {
    try serve()
    #expect(
      observe() == .init(refused: [.any, .inactive], rules: HardwareFacts.CardService.Rules.none))
  }

  @Test func `without a socket, or actions, nobody is refused`() throws {
    #expect(observe() == nil)
    try directory.file(Self.file, Self.actions())
    #expect(observe() == nil)
    try directory.file("run/pcscd/pcscd.comm", "")
    #expect(observe() == nil)
    try #require(unsafe unlink("\(directory.path)/run/pcscd/pcscd.comm") == 0)
    try serve()
    #expect(observe() != nil)
    try #require(unsafe unlink("\(directory.path)/\(Self.file)") == 0)
    #expect(observe() == nil)
  }

  @Test func `a daemon that was told to ask nobody asks nobody`() throws {
    try serve()
    try directory.file("sys/fs/cgroup/system.slice/pcscd.service/cgroup.procs", "77\n")
    try directory.file("proc/77/cmdline", Array("/usr/sbin/pcscd\0--foreground\0".utf8))
    #expect(observe() != nil)
    try directory.file("proc/77/cmdline", Array("/usr/sbin/pcscd\0--disable-polkit\0".utf8))
    #expect(observe() == nil)
  }

  @Test(
    arguments: [
      (("yes", "yes", "yes"), ("yes", "yes", "yes"), []),
      (("auth_admin", "no", "yes"), ("yes", "yes", "yes"), [.inactive]),
      (("yes", "yes", "yes"), ("no", "auth_self_keep", "no"), [.any, .active]),
    ]
      as [(
        (String, String, String), (String, String, String), [HardwareFacts.CardService.Standing]
      )])
  func `the stricter of both actions counts, and a password is no refusal`(
    pcsc: (String, String, String), card: (String, String, String),
    refused: [HardwareFacts.CardService.Standing]
  ) {
    let text = Self.actions(
      pcsc: (any: pcsc.0, inactive: pcsc.1, active: pcsc.2),
      card: (any: card.0, inactive: card.1, active: card.2))
    #expect(CardObserver.refused(by: Array(text.utf8)) == refused)
  }

  @Test(arguments: [
    "", "<action", "<!-- <action id=\"org.debian.pcsc-lite.access_pcsc\">", "</action><action>",
    "<!--", "<policyconfig><action id='org.debian.pcsc-lite.access_pcsc'></action></policyconfig>",
  ])
  func `what says nothing is a refusal, as for polkit`(text: String) {
    #expect(CardObserver.refused(by: Array(text.utf8)) == [.any, .inactive, .active])
  }

  @Test func `what is in a comment does not count`() {
    let text = Self.actions().split(separator: "\n").joined(separator: "\n")
    let open = Self.actions(pcsc: ("yes", "yes", "yes"), card: ("yes", "yes", "yes"))
    #expect(
      CardObserver.refused(by: Array("<!-- \(open) -->\n\(text)".utf8)) == [.any, .inactive])
  }

  @Test(arguments: [
    ("polkit.addAdminRule(function(a, s) { return ['unix-group:wheel']; });", "none"),
    ("polkit.addRule(function(a, s) { if (a.id == 'x') return 'yes'; });", "other"),
    (
      "polkit.addRule(function(a, s) { if (a.id == 'org.debian.pcsc-lite.x') return 'no'; });",
      "named"
    ),
  ])
  func `rules are told as far as their text tells`(text: String, found: String) throws {
    try serve()
    try directory.file("etc/polkit-1/rules.d/README", "addRule pcsc-lite")
    try directory.file("usr/share/polkit-1/rules.d/50-x.rules", text)
    #expect(observe()?.rules?.rawValue == found)
  }

  // A file in place of a directory cannot be listed, not even by root.
  @Test func `rules that cannot be read are unknown`() throws {
    try serve()
    try directory.file("etc/polkit-1/rules.d", "")
    #expect(try #require(observe()).rules == nil)
  }
}
