import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct AlbumTests {
  func album(_ environment: [String: String]) -> AlbumFacts {
    AlbumObserver(environment: { environment[$0] }).observe(home: "/home/database")
  }

  @Test func `the environment goes before everything`() throws {
    let home = try TemporaryDirectory()
    try home.file(".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n")
    let album = album(["HOME": home.path, "XDG_PICTURES_DIR": "/srv/photos/"])
    #expect(album == AlbumFacts(path: "/srv/photos", source: .environment))
  }

  @Test func `a relative path in the environment is passed over and said to be wrong`() throws {
    let home = try TemporaryDirectory()
    let album = album(["HOME": home.path, "XDG_PICTURES_DIR": "Pictures"])
    #expect(album.path == "\(home.path)/Pictures")
    #expect(album.source == .default)
    #expect(album.problem?.contains("XDG_PICTURES_DIR") == true)
  }

  @Test func `user-dirs is read from the configuration directory`() throws {
    let home = try TemporaryDirectory()
    try home.file(".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n")
    try home.file("other/user-dirs.dirs", "XDG_PICTURES_DIR=\"/srv/other\"\n")
    #expect(
      album(["HOME": home.path])
        == AlbumFacts(path: "\(home.path)/Bilder", source: .userDirectories))
    #expect(
      album(["HOME": home.path, "XDG_CONFIG_HOME": "\(home.path)/other"]).path == "/srv/other")
    // The base directory specification requires that a relative XDG_CONFIG_HOME is ignored.
    #expect(album(["HOME": home.path, "XDG_CONFIG_HOME": "other"]).path == "\(home.path)/Bilder")
  }

  @Test func `without any configuration it is Pictures in the home directory`() {
    #expect(album(["HOME": "/nowhere"]) == AlbumFacts(path: "/nowhere/Pictures", source: .default))
    #expect(album([:]) == AlbumFacts(path: "/home/database/Pictures", source: .default))
    #expect(album(["HOME": "relative"]).path == "/home/database/Pictures")
  }

  @Test func `without a home directory there is no album`() {
    let album = AlbumObserver(environment: { _ in nil }).observe(home: nil)
    #expect(album.path == nil)
    #expect(album.problem != nil)
  }

  @Test func `the home directory itself means that there is no album`() throws {
    let home = try TemporaryDirectory()
    try home.file(".config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/\"\n")
    let album = album(["HOME": home.path])
    #expect(album.path == home.path)
    #expect(album.problem?.contains("home directory") == true)
  }

  /// An untrusted file, with a name that is short to print.
  enum HostileFile: CaseIterable {
    case invalidText, unclosedQuote, overlong

    var bytes: [UInt8] {
      switch self {
      case .invalidText: [0x58, 0x44, 0x47, 0xFF, 0x00]
      case .unclosedQuote: Array("XDG_PICTURES_DIR=\"oops".utf8)
      case .overlong: Array(repeating: 0x41, count: 200_000)
      }
    }
  }

  @Test(arguments: HostileFile.allCases)
  func `a hostile file falls back to the default`(file: HostileFile) throws {
    let home = try TemporaryDirectory()
    try home.file(".config/user-dirs.dirs", file.bytes)
    #expect(album(["HOME": home.path]).path == "\(home.path)/Pictures")
  }

  @Test func `a directory in the file's place is a problem`() throws {
    let home = try TemporaryDirectory()
    try home.directory(".config/user-dirs.dirs")
    let album = album(["HOME": home.path])
    #expect(album.path == "\(home.path)/Pictures")
    #expect(album.problem?.contains("user-dirs.dirs") == true)
  }

  @Test func `the album's facts ask for the directory`() throws {
    let home = try TemporaryDirectory()
    try home.directory("Pictures")
    let path = home.path
    let machine = LinuxMachine(environment: { $0 == "HOME" ? path : nil })
    let facts = try machine.facts(for: Question(.kind(.album), wanted: [.write, .search]))
    #expect(
      facts.access.request
        == .access(
          path: "\(path)/Pictures", mode: [.write, .search], effective: true, noFollow: false))
    #expect(facts.album?.path == "\(path)/Pictures")
    #expect(facts.access.nodes.last?.path == "\(path)/Pictures")
    #expect(facts.devices.isEmpty)
  }
}
