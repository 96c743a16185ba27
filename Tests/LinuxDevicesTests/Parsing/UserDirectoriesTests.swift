import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct UserDirectoriesTests {
  @Test(arguments: [
    ("XDG_PICTURES_DIR=\"$HOME/Pictures\"", "/home/ann/Pictures"),
    ("  XDG_PICTURES_DIR = \"$HOME/Bilder\"  # mine", "/home/ann/Bilder"),
    ("XDG_PICTURES_DIR=\"/srv/photos/\"", "/srv/photos"),
    ("XDG_PICTURES_DIR=\"/srv/a\\\"b\\\\c\\$d\"", "/srv/a\"b\\c$d"),
    ("XDG_PICTURES_DIR=\"$HOME/\"", "/home/ann"),
    ("XDG_PICTURES_DIR=\"$HOME\"", "/home/ann"),
    ("XDG_PICTURES_DIR=\"/\"", "/"),
    ("XDG_MUSIC_DIR=\"/m\"\nXDG_PICTURES_DIR=\"/a\"\nXDG_PICTURES_DIR=\"/b\"", "/b"),
    ("XDG_PICTURES_DIR=\"/ünï\"", "/ünï"),
  ])
  func `the value is read as xdg-user-dir reads it`(text: String, path: String) {
    let directories = UserDirectories(parsing: Array(text.utf8), home: "/home/ann")
    #expect(directories.pictures == path)
    #expect(directories.problem == nil)
  }

  @Test(arguments: [
    "XDG_PICTURES_DIR=/srv/photos", "XDG_PICTURES_DIR=\"relative\"", "XDG_PICTURES_DIR=\"",
    "XDG_PICTURES_DIR=\"/unclosed", "XDG_PICTURES_DIR=\"$HOMEless\"",
    "XDG_PICTURES_DIR=\"${HOME}/x\"", "XDG_PICTURES_DIR=", "XDG_PICTURES_DIR=\"/a\\",
    "XDG_PICTURES_DIR=\"/a\u{0}b\"", "XDG_PICTURES_DIR=\"\"",
    "XDG_PICTURES_DIR=\"/" + String(repeating: "x", count: 5000) + "\"",
  ])
  func `a malformed value is a problem and no path`(text: String) {
    let directories = UserDirectories(parsing: Array(text.utf8), home: "/home/ann")
    #expect(directories.pictures == nil)
    #expect(directories.problem != nil)
  }

  @Test(arguments: [
    "", "# XDG_PICTURES_DIR=\"/x\"", "XDG_PICTURES_DIRS=\"/x\"", "XDG_PICTURES_DIR",
  ])
  func `a file that does not name the directory has no problem`(text: String) {
    let directories = UserDirectories(parsing: Array(text.utf8), home: "/home/ann")
    #expect(directories.pictures == nil)
    #expect(directories.problem == nil)
  }

  @Test func `a path below a home that is not known is a problem`() {
    let text = Array("XDG_PICTURES_DIR=\"$HOME/Pictures\"".utf8)
    #expect(UserDirectories(parsing: text, home: nil).problem != nil)
  }

  @Test func `a path that is not UTF-8 is one all the same`() {
    let text = Array("XDG_PICTURES_DIR=\"/a".utf8) + [0xFF] + Array("\"".utf8)
    let directories = UserDirectories(parsing: text, home: nil)
    #expect(directories.problem == nil)
    #expect(directories.pictures.map { ByteText($0).bytes } == Array("/a".utf8) + [0xFF])
  }
}
