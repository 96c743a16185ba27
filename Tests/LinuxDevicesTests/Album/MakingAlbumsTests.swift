import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `Making the pictures directory` {
  private static func status(_ path: String) -> (mode: mode_t, type: mode_t)? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return (status.st_mode & 0o7777, status.st_mode & S_IFMT)
  }

  private static func failure(_ path: String, _ home: String) -> AlbumError? {
    do throws(AlbumError) {
      _ = try AlbumDirectory.make(path, below: home).rawValue
      return nil
    } catch {
      return error
    }
  }

  @Test func `opens it to nobody else, and opens one that is there`() throws {
    let home = try TemporaryDirectory()
    let path = "\(home.path)/Pictures"
    let made = try AlbumDirectory.make(path, below: home.path)
    #expect(made.rawValue >= 0)
    #expect(Self.status(path)?.mode == 0o700)
    let again = try AlbumDirectory.make(path + "/", below: home.path + "/")
    #expect(again.rawValue != made.rawValue)
    try home.directory("Media")
    _ = try AlbumDirectory.make("\(home.path)/Media/Bilder", below: home.path).rawValue
    #expect(Self.status("\(home.path)/Media/Bilder")?.type == S_IFDIR)
  }

  @Test(arguments: [
    "/Pictures", "/home", "", "relative/Pictures", "/../Pictures", "/./Pictures",
    "/sub/../Pictures",
  ])
  func `makes none outside of the home directory`(rest: String) throws {
    let home = try TemporaryDirectory()
    try home.directory("own/sub")
    let own = "\(home.path)/own"
    let path =
      switch rest {
      case "", "relative/Pictures": rest
      case "/Pictures", "/home": home.path + rest
      default: own + rest
      }
    #expect(Self.failure(path, own)?.code == .foreignPlace)
    // A path that only begins like the home directory is a different directory.
    #expect(Self.failure("\(own)er/Pictures", own)?.code == .foreignPlace)
    #expect(Self.failure(own, own)?.code == .foreignPlace)
    #expect(try Directory.names(in: home.path) == ["own"])
    #expect(try Directory.names(in: own) == ["sub"])
  }

  @Test func `follows no symbolic link below the home directory`() throws {
    let home = try TemporaryDirectory()
    try home.directory("elsewhere")
    try home.directory("own")
    let own = "\(home.path)/own"
    try home.link("own/Pictures", to: "../elsewhere/Pictures")
    try home.link("own/sub", to: "../elsewhere")
    try home.link("own/there", to: "../elsewhere")
    try home.file("own/file")
    #expect(Self.failure("\(own)/Pictures", own)?.code == .wrongObject)
    #expect(Self.failure("\(own)/sub/Pictures", own)?.code == .wrongObject)
    #expect(Self.failure("\(own)/there", own)?.code == .wrongObject)
    #expect(Self.failure("\(own)/file", own)?.code == .wrongObject)
    #expect(Self.failure("\(own)/missing/Pictures", own)?.code == .absent)
    #expect(try Directory.names(in: "\(home.path)/elsewhere") == [])
  }

  /// Simulates `sudo` with the home directory of another user.
  @Test(.requiresRoot) func `makes none in the home directory of somebody else`() throws {
    let home = try TemporaryDirectory()
    #expect(unsafe chown(home.path, 65534, 65534) == 0)
    #expect(Self.failure("\(home.path)/Pictures", home.path)?.code == .refused)
    #expect(try Directory.names(in: home.path) == [])
    #expect(unsafe chown(home.path, 0, 0) == 0)
    let media = try home.directory("Media")
    #expect(unsafe chown(media, 65534, 65534) == 0)
    #expect(Self.failure("\(media)/Pictures", home.path)?.code == .refused)
    #expect(try Directory.names(in: media) == [])
  }

  /// Links that appear and disappear during the call must not lead elsewhere.
  @Test func `is not led elsewhere by a link that comes meanwhile`() async throws {
    let home = try TemporaryDirectory()
    try home.directory("elsewhere")
    try home.directory("own")
    let (own, elsewhere) = ("\(home.path)/own", "\(home.path)/elsewhere")
    await withTaskGroup { group in
      group.addTask {
        for _ in 0..<2000 {
          unsafe symlink(elsewhere + "/made", own + "/Pictures")
          unsafe unlink(own + "/Pictures")
        }
      }
      group.addTask {
        for _ in 0..<2000 {
          _ = try? AlbumDirectory.make(own + "/Pictures", below: own).rawValue
          unsafe rmdir(own + "/Pictures")
        }
      }
    }
    #expect(try Directory.names(in: elsewhere) == [])
  }
}
