import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The text of an AppArmor profile` {
  @Test(arguments: [
    ("/dev/video0", "/dev/video0", true), ("/dev/video*", "/dev/video0", true),
    ("/dev/*", "/dev/snd/pcm", false), ("/dev/**", "/dev/snd/pcm", true),
    ("/dev/video[0-9]", "/dev/video7", true), ("/dev/video[^0-9]", "/dev/video7", false),
    ("/dev/{video,media}*", "/dev/media0", true), ("/dev/{video,media}*", "/dev/snd", false),
    ("/dev/video?", "/dev/video", false), ("/**", "/", true),
    ("/dev/video\\*", "/dev/video*", true),
    ("/dev/[", "/dev/[", true), ("", "/", false), ("/a/{b", "/a/{b", true),
  ])
  func `matches a pattern`(pattern: String, path: String, expected: Bool) {
    #expect(AppArmorPattern(pattern).matches(path) == expected)
  }

  @Test func `matches a hostile pattern in bounded time`() {
    let pattern = AppArmorPattern(String(repeating: "**a", count: 1000))
    #expect(!pattern.matches("/" + String(repeating: "a", count: 500)))
    let braces = AppArmorPattern(String(repeating: "{a,b}", count: 200))
    #expect(!braces.matches("/a"))
  }

  private static let profiles = """
    # A comment about profile cam {
    profile other { /dev/video0 rw, }
    profile cam /usr/bin/cam flags=(attach_disconnected) {
      #include <abstractions/base>
      include if exists <abstractions/none>
      owner /home/*/Pictures/** rw,
      deny /dev/video9 rw,
      profile inner {
        /dev/video1 r,
      }
    }
    """

  private func rule(
    _ label: String, _ path: String, in profiles: String = profiles
  ) throws -> String? {
    let directory = try TemporaryDirectory()
    try directory.file("etc/apparmor.d/usr.bin.cam", profiles)
    try directory.file(
      "etc/apparmor.d/abstractions/base", "  /dev/null  rw,\n  /dev/video[0-8] r,\n")
    var roots = MachineRoots()
    roots.etc = "\(directory.path)/etc"
    var text = AppArmorProfileText(roots: roots, path: path)
    return text.rule(of: label)
  }

  @Test func `has the same lines where each ends with a return as well`() throws {
    let lines = Self.profiles.split(separator: "\n").joined(separator: "\r\n")
    #expect(
      try rule("cam", "/dev/video9", in: lines)
        == "\"deny /dev/video9 rw,\" (/etc/apparmor.d/usr.bin.cam)")
  }

  @Test(
    arguments: [
      ("cam", "/dev/video2", "\"/dev/video[0-8] r,\" (/etc/apparmor.d/abstractions/base)"),
      ("cam", "/dev/video9", "\"deny /dev/video9 rw,\" (/etc/apparmor.d/usr.bin.cam)"),
      (
        "cam", "/home/ann/Pictures/a/b",
        "\"owner /home/*/Pictures/** rw,\" (/etc/apparmor.d/usr.bin.cam)"
      ),
      ("cam", "/dev/media0", "no rule for /dev/media0 (/etc/apparmor.d/usr.bin.cam)"),
      ("cam//inner", "/dev/video1", "\"/dev/video1 r,\" (/etc/apparmor.d/usr.bin.cam)"),
      ("cam//inner", "/dev/video2", "no rule for /dev/video2 (/etc/apparmor.d/usr.bin.cam)"),
      ("absent", "/dev/video0", nil),
    ] as [(String, String, String?)])
  func `is quoted`(label: String, path: String, expected: String?) throws {
    #expect(try rule(label, path) == expected)
  }
}
