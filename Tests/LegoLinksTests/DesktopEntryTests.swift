import Foundation
import LinuxTestSupport
import Testing

@testable import LegoLinks

@Suite(.timeLimit(.minutes(5))) struct `A desktop entry` {
  static let validator = ["/usr/bin/desktop-file-validate"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// What `desktop-file-validate` says: nothing, and status 0, for a right one.
  private func validated(_ entry: DesktopEntry) throws -> [String] {
    let folder = try TemporaryDirectory()
    let file = try folder.file("\(entry.name).desktop", entry.text)
    let program = try StartedProgram([Self.validator ?? "/desktop-file-validate", file])
    var lines: [String] = []
    while let line = program.line() { lines.append(line) }
    let status = program.end()
    return status == 0 ? lines : lines + ["status \(status)"]
  }

  @Test func `is written as the specification says`() throws {
    let entry = try DesktopEntry(
      "org.example.Photos", title: "Photos", program: "/usr/bin/photos",
      schemes: ["photos", "PIX"],
      comment: "Shows pictures", icon: "camera-photo",
      actions: [DesktopAction("newest", title: "Newest", link: "photos:/picture/0?a=b%20c")])
    #expect(
      entry.text == """
        [Desktop Entry]
        Type=Application
        Name=Photos
        Comment=Shows pictures
        Icon=camera-photo
        Exec=/usr/bin/photos %U
        DBusActivatable=true
        MimeType=x-scheme-handler/photos;x-scheme-handler/pix;
        Actions=newest;

        [Desktop Action newest]
        Name=Newest
        Exec=/usr/bin/photos "photos:/picture/0?a=b%%20c"

        """)
    #expect(
      entry.serviceText == """
        [D-BUS Service]
        Name=org.example.Photos
        Exec=/usr/bin/photos --gapplication-service

        """)
    #expect(entry.actionLinks == ["newest": "photos:/picture/0?a=b%20c"])
  }

  @Test(
    .enabled(if: validator != nil, "desktop-file-validate(1), of desktop-file-utils, is needed"))
  func `is valid`() throws {
    for entry in [
      try DesktopEntry(
        "org.example.Photos", title: "Photos", program: "/usr/bin/photos", schemes: ["photos"]),
      try DesktopEntry(
        "org.example.Photos", title: " A \\ \"title\"\n\twith; all\u{7}",
        program: "/opt/a b$`\\\"%/ü",
        arguments: ["", "%U", "a'b", "$HOME"], schemes: ["photos", "web+photos"], comment: "Ä\nb",
        icon: "camera-photo",
        actions: [
          DesktopAction("a-1", title: "A", link: "photos:/%20;\\"),
          DesktopAction("b", title: "B", link: "photos:/b"),
        ],
        isListed: false),
    ] {
      #expect(try validated(entry) == [], "\(entry.text)")
    }
  }

  @Test(
    arguments: [
      ("photos", "/usr/bin/photos", "", "a", "photos:/"),
      ("org.example.Photos", "photos", "", "a", "photos:/"),
      ("org.example.Photos", "/usr/bin/a=b", "", "a", "photos:/"),
      ("org.example.Photos", "/usr/bin/a\nExec=b", "", "a", "photos:/"),
      ("org.example.Photos", "/usr/bin/a", "\0", "a", "photos:/"),
      ("org.example.Photos", "/usr/bin/a", "", "a b", "photos:/"),
      ("org.example.Photos", "/usr/bin/a", "", "", "photos:/"),
      ("org.example.Photos", "/usr/bin/a", "", "open-link", "photos:/"),
      ("org.example.Photos", "/usr/bin/a", "", "a", "photos:/\n[Desktop Action b]"),
    ])
  func `is not made of what it cannot hold`(
    name: String, program: String, argument: String, action: String, link: String
  ) {
    #expect(throws: DesktopApplicationError.self) {
      try DesktopEntry(
        name, title: "Photos", program: program, arguments: [argument], schemes: ["photos"],
        actions: [DesktopAction(action, title: "A", link: link)])
    }
  }

  @Test func `quotes what follows a mark, too`() {
    // A combining mark makes one character with the sign before it.
    let words = ["a\"\u{301} b", "$\u{301}(x)", "50%\u{301}u"]
    #expect(
      DesktopText.command(words)
        == "\"a\\\\\"\u{301} b\" \"\\\\$\u{301}(x)\" \"50%%\u{301}u\"")
    #expect(DesktopText.command(["50%"], hasFields: false) == "50%")
    #expect(throws: DesktopApplicationError.self) {
      try DesktopEntry("org.example.Photos", title: "", program: "/a=\u{301}b", schemes: [])
    }
  }

  @Test func `is written beside its place and then renamed, with the directories that it needs`()
    throws
  {
    let folder = try TemporaryDirectory()
    let entry = try DesktopEntry(
      "org.example.Photos", title: "Photos", program: "/usr/bin/photos", schemes: ["photos"])
    let data = "\(folder.path)/new/share"
    for _ in 0..<2 {
      #expect(
        try entry.write(to: data) == [
          "\(data)/applications/org.example.Photos.desktop",
          "\(data)/dbus-1/services/org.example.Photos.service",
        ])
    }
    #expect(
      try String(contentsOfFile: "\(data)/applications/org.example.Photos.desktop", encoding: .utf8)
        == entry.text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(data)/dbus-1/services") == [
        "org.example.Photos.service"
      ])
    #expect(
      try String(
        contentsOfFile: "\(data)/dbus-1/services/org.example.Photos.service", encoding: .utf8)
        == entry.serviceText)
  }

  @Test func `that cannot be written leaves nothing behind`() throws {
    let folder = try TemporaryDirectory()
    let entry = try DesktopEntry(
      "org.example.Photos", title: "Photos", program: "/usr/bin/photos", schemes: ["photos"])
    try folder.directory("share/applications/org.example.Photos.desktop")
    let error = #expect(throws: DesktopApplicationError.self) {
      try entry.write(to: "\(folder.path)/share")
    }
    #expect(error?.code == .notWritten)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/share/applications") == [
        "org.example.Photos.desktop"
      ])
    try folder.file("file")
    let other = #expect(throws: DesktopApplicationError.self) {
      try entry.write(to: "\(folder.path)/file")
    }
    #expect(other?.reason.hasPrefix("Not a directory") == true, "\(other as Any)")
  }
}
