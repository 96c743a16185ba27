import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Foundation
import LinuxDevices
import Testing

@Suite struct `A described album` {
  private static let path = "/home/alice/Pictures"

  private func machine(
    _ configure: (inout MachineDescription) -> Void = { _ in }
  ) -> InMemoryMachine {
    InMemoryMachine { machine in
      machine.addUser("alice", id: 1000)
      machine.addDirectory(Self.path, mode: 0o700, owner: "alice")
      machine.run(as: "alice")
      configure(&machine)
    }
  }

  private func open(on machine: InMemoryMachine) throws(AlbumError) -> Album {
    Album(adopting: try machine.openAlbum(at: Self.path, makes: false), path: Self.path)
  }

  private func image() throws(AlbumError) -> PictureName { try PictureName("IMG", suffix: "png") }

  @Test func `takes pictures, which later looks find`() async throws {
    let machine = machine { $0.addFile("\(Self.path)/IMG 1.png", owner: "alice") }
    let service = PermissionsService(machine: machine)
    let answer = await service.request(AccessRequest(.album(.addOnly)))
    guard let token = answer.token, let access = service.take(token) else {
      Issue.record("nothing was handed over")
      return
    }
    #expect(try access.album().add([1, 2, 3], named: image()) == "IMG 2.png")
    #expect(machine.albumContents(at: Self.path)?.readable == ["IMG 1.png", "IMG 2.png"])
    let path = "\(Self.path)/IMG 2.png"
    let question = Question(.path(path), wanted: [.read, .write])
    #expect(try machine.facts(for: question).explain().status == .authorized)
    #expect(machine.selectedFile(at: path).permissions == [.read, .write])
    let file = try machine.openSelectedFile(at: path, for: .read)
    let handle = FileHandle(fileDescriptor: file.rawValue, closeOnDealloc: false)
    #expect(try handle.readToEnd() == Data([1, 2, 3]))
    let again = await service.request(AccessRequest(.album(.readWrite)))
    #expect(again.album?.contents?.readable == ["IMG 1.png", "IMG 2.png"])
  }

  @Test func `gives a picture the first name that is free by then`() throws {
    let machine = machine()
    let album = try open(on: machine)
    machine.change { $0.addDirectory("\(Self.path)/IMG 1.png") }
    #expect(try album.add([1], named: image()) == "IMG 2.png")
    machine.change { $0.remove("\(Self.path)/IMG 1.png") }
    #expect(try album.add([2], named: image()) == "IMG 1.png")
    machine.change { $0.remove("\(Self.path)/IMG 2.png") }
    #expect(machine.albumContents(at: Self.path)?.readable == ["IMG 1.png"])
    #expect(try open(on: machine).add([3], named: image()) == "IMG 2.png")
    #expect(machine.albumContents(at: Self.path)?.readable == ["IMG 1.png", "IMG 2.png"])
  }

  @Test func `takes no picture once it is removed`() throws {
    let machine = machine()
    let album = try open(on: machine)
    machine.change { $0.remove(Self.path) }
    let error = #expect(throws: AlbumError.self) { try album.add([1], named: image()) }
    #expect(error?.code == .absent)
  }

  @Test func `takes pictures through a link`() throws {
    let machine = machine { $0.addLink("/album", to: Self.path) }
    let album = Album(adopting: try machine.openAlbum(at: "/album", makes: false), path: "/album")
    #expect(try album.add([1], named: image()) == "IMG 1.png")
    #expect(machine.albumContents(at: "/album")?.readable == ["IMG 1.png"])
    #expect(machine.albumContents(at: Self.path)?.readable == ["IMG 1.png"])
  }

  @Test func `leaves no directory behind when its machine goes`() throws {
    var machine: InMemoryMachine? = machine()
    let folder = try machine.map { machine in
      let directory = try machine.openAlbum(at: Self.path, makes: false)
      let link = "/proc/self/fd/\(directory.rawValue)"
      return try FileManager.default.destinationOfSymbolicLink(atPath: link)
    }
    let existing = try #require(folder)
    #expect(FileManager.default.fileExists(atPath: existing))
    machine = nil
    #expect(!FileManager.default.fileExists(atPath: existing))
  }

  @Test func `lists links to files, and not what else is in it`() {
    let machine = machine {
      $0.addFile("/shared.png")
      $0.addLink("\(Self.path)/link.png", to: "/shared.png")
      $0.addLink("\(Self.path)/dangling.png", to: "/none.png")
      $0.addFile("\(Self.path)/2026/beach.png")
    }
    #expect(
      machine.albumContents(at: Self.path)
        == AlbumContents(readable: ["link.png"], unreadable: []))
  }

  /// The checks of the files share prepared data, so they do not take minutes.
  @Test(.timeLimit(.minutes(1)), arguments: [0, 1])
  func `tells as many files as a real one`(excess: Int) throws {
    let machine = machine { machine in
      for number in 0..<AlbumContents.mostFiles + excess {
        machine.addFile("\(Self.path)/\(number).png", owner: "alice")
      }
    }
    let contents = try #require(machine.albumContents(at: Self.path))
    #expect(contents.readable.count == AlbumContents.mostFiles)
    #expect(contents.isComplete == (excess == 0))
  }
}
