import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// The access to a chosen file, as determined by a real kernel.
@Suite struct `A chosen file` {
  private let machine = LinuxMachine()

  @Test func `has a name and what may be done with it`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.file("IMG 1.png", "picture", mode: 0o600)
    let file = machine.selectedFile(at: path)
    #expect(file == SelectedFile(path: path, permissions: [.read, .write]))
    #expect(file.name == "IMG 1.png")
    #expect(file.isReadable && file.isWritable)
    let opened = try machine.openSelectedFile(at: path, for: .read)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(unsafe read(opened.rawValue, &bytes, 16) == 7)
    #expect(fcntl(opened.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(opened.rawValue, F_GETFL) & O_ACCMODE == O_RDONLY)
  }

  @Test func `has a name of bytes, too`() throws {
    let folder = try TemporaryDirectory()
    let path = ByteText(bytes: Array(folder.path.utf8) + [0x2F, 0xFF, 0x20, 0xFE]).text
    let made = unsafe open(ByteText(path).cString, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    try #require(made >= 0)
    close(made)
    let file = machine.selectedFile(at: path)
    #expect(file.isReadable)
    #expect(ByteText(file.name).bytes == [0xFF, 0x20, 0xFE])
  }

  /// A user may choose a file that this process may not read; a capability allows it anyway.
  @Test(.disabled(if: geteuid() == 0, "root may read every file"))
  func `of somebody else may not be read`() throws {
    let folder = try TemporaryDirectory()
    let hidden = machine.selectedFile(at: try folder.file("a.png", mode: 0o000))
    #expect(hidden.permissions == [])
    #expect(hidden.reason == "permission denied")
    let fixed = machine.selectedFile(at: try folder.file("b.png", mode: 0o400))
    #expect(fixed.permissions == [.read])
  }

  @Test func `is a regular file, and no other object is opened`() throws {
    let folder = try TemporaryDirectory()
    let target = try folder.file("a.png")
    let link = try folder.link("link.png", to: target)
    let inside = try folder.directory("directory.png")
    let pipe = "\(folder.path)/pipe.png"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    for (path, reason) in [
      (link, "it is a symbolic link"), (inside, "it is a directory"), (pipe, "it is not a file"),
      ("/dev/null", "it is not a file"), (folder.path + "/none", "no such file or directory"),
      ("relative", "it is not a file"), ("/a\0b", "it is not a file"), ("", "it is not a file"),
      (target + "/", "not a directory"),
    ] {
      let file = machine.selectedFile(at: path)
      #expect(file.permissions == [], "\(path)")
      #expect(file.reason == reason, "\(path)")
      let error = #expect(throws: AlbumError.self) {
        _ = try machine.openSelectedFile(at: path, for: .read).rawValue
      }
      #expect(error?.code == (path.hasSuffix("/none") ? .absent : .wrongObject), "\(path)")
    }
    let long = "/" + String(repeating: "a", count: 300)
    #expect(machine.selectedFile(at: long).reason == "file name too long")
  }

  @Test func `leaves no descriptor open`() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.file("a.png")
    let link = try folder.link("b.png", to: "a.png")
    let before = OwnProcess.descriptorCount
    for _ in 0..<50 {
      _ = machine.selectedFile(at: path)
      _ = machine.selectedFile(at: link)
      _ = try machine.openSelectedFile(at: path, for: [.read, .write]).rawValue
    }
    #expect(await eventually { OwnProcess.leftNothing(openSince: before) })
  }
}
