import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

@Suite struct `Lists that change` {
  let machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addCamera()
    $0.run(as: "alice")
  }

  private var service: DeviceService { DeviceService(machine: machine) }

  private func names(_ listings: [DeviceListing]?) -> [String?]? { listings?.map(\.device.name) }

  @Test func `come whole, and then with what came and what went`() async throws {
    var changes = service.listings(of: .camera).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.isFirst && first.gaps == [])
    #expect(names(first.listings) == ["Integrated Camera"])
    #expect(first.added == [] && first.removed == [] && first.changed == [])
    machine.change { $0.addCamera(1, name: "Second") }
    let second = try #require(try await changes.next())
    #expect(!second.isFirst)
    #expect(names(second.added) == ["Second"] && second.removed == [] && second.changed == [])
    machine.change { $0.removeDevice("/dev/video0") }
    let third = try #require(try await changes.next())
    #expect(names(third.removed) == ["Integrated Camera"] && third.added == [])
    #expect(names(third.listings) == ["Second"])
  }

  @Test func `tell of another access`() async throws {
    var changes = service.listings(of: .camera).makeAsyncIterator()
    #expect(try await changes.next()?.listings.map(\.access) == [[]])
    machine.change { $0.logIn("alice") }
    let change = try #require(try await changes.next())
    #expect(change.changed.map(\.access) == [[.read, .write]])
    #expect(change.added == [] && change.removed == [])
  }

  @Test func `tell of another device in the same place`() async throws {
    var changes = service.listings(of: .camera).makeAsyncIterator()
    _ = try await changes.next()
    machine.change {
      $0.removeDevice("/dev/video0")
      $0.addCamera(name: "Another")
    }
    let change = try #require(try await changes.next())
    #expect(names(change.removed) == ["Integrated Camera"] && names(change.added) == ["Another"])
    #expect(change.changed == [])
  }

  @Test func `are not told when something else has changed`() async throws {
    var changes = service.listings(of: .camera).makeAsyncIterator()
    _ = try await changes.next()
    machine.change { $0.addMicrophone() }
    machine.change { $0.addDirectory("/srv") }
    machine.change { $0.addCamera(3, name: "Third") }
    #expect(names(try await changes.next()?.added) == ["Third"])
  }

  @Test func `are of somebody else where that is asked for`() async throws {
    machine.change { $0.addUser("bob", id: 1001, groups: ["video"]) }
    var changes = service.listings(of: .camera, as: .user("bob")).makeAsyncIterator()
    #expect(try await changes.next()?.listings.map(\.access) == [[.read, .write]])
  }

  /// Every list is complete: a device is never missing, however many events occurred in between.
  @Test func `end in what there is, however slow the consumer`() async throws {
    var changes = service.listings(of: .camera).makeAsyncIterator()
    var present = try #require(try await changes.next()).listings
    var nodes = Set(present.compactMap(\.device.node))
    for round in 0..<20 {
      for number in 0..<8 {
        let node = "/dev/video\(number)"
        machine.change {
          if (number + round).isMultiple(of: 3) {
            if nodes.remove(node) != nil { $0.removeDevice(node) }
          } else {
            nodes.insert(node)
            $0.addCamera(number, name: "Camera \(round)")
          }
        }
      }
      let change = try #require(try await changes.next())
      let removed = Set(change.removed.map(\.device.sysfsPath))
      present.removeAll { removed.contains($0.device.sysfsPath) }
      present += change.added
      #expect(Set(present.map(\.device)) == Set(change.listings.map(\.device)))
      #expect(try await service.list(.camera) == change.listings)
    }
  }

  @Test func `end with the time`() async throws {
    var changes = service.listings(of: .camera, for: .milliseconds(1)).makeAsyncIterator()
    while try await changes.next() != nil {}
    #expect(machine.watchCount == 0)
    #expect(try await changes.next() == nil)
  }
}
