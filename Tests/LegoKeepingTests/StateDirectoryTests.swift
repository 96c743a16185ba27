import LegoKeeping
import Testing

@Suite struct `The state directory` {
  private func path(
    _ variables: [String: String], of directory: StateDirectory = .standard,
    home: String? = "/home/ann",
    program: String? = "prog"
  ) -> String? {
    directory.path(
      in: Surroundings(environment: { variables[$0] }, home: home, program: program))
  }

  @Test func `is the first that systemd gives`() {
    #expect(path(["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "HOME": "/x"]) == "/var/lib/a/prog")
    #expect(path(["STATE_DIRECTORY": "/var/lib/a"]) == "/var/lib/a/prog")
    #expect(path(["STATE_DIRECTORY": "", "HOME": "/x"]) == "/x/.local/state/prog")
    #expect(path(["STATE_DIRECTORY": "rel:/var/lib/b", "HOME": "/x"]) == "/x/.local/state/prog")
  }

  @Test func `is else the user's`() {
    #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/x"]) == "/s/prog")
    #expect(path(["XDG_STATE_HOME": "s", "HOME": "/x"]) == "/x/.local/state/prog")
    #expect(path([:]) == "/home/ann/.local/state/prog")
    #expect(path(["HOME": "relative"]) == nil)
    #expect(path([:], home: nil) == nil)
  }

  @Test func `is named for the program`() {
    #expect(path(["HOME": "/x"], of: .standard(program: "other")) == "/x/.local/state/other")
    #expect(path(["HOME": "/x"], of: .standard(program: "a/b")) == nil)
    #expect(path(["HOME": "/x"], of: .standard(program: "..")) == nil)
    #expect(path([:], program: nil) == nil)
    #expect(Surroundings.current.program?.isEmpty == false)
    #expect(Surroundings.current.home?.hasPrefix("/") == true)
  }

  @Test func `may be any absolute path`() {
    #expect(path([:], of: .path("/srv/x")) == "/srv/x")
    #expect(path([:], of: .path("srv")) == nil)
  }
}
