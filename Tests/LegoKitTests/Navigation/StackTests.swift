import Testing

@testable import LegoKit

private struct Card: Identifiable, Equatable, Codable {
  let id: Int
  var text = ""
}

@Suite struct `A stack of screens` {
  @Test func `opens and closes screens`() {
    var path: Stack<Card> = []
    #expect(path.push(Card(id: 1)) == true)
    #expect(path.push(Card(id: 2)) == true)
    #expect(path.push(Card(id: 3)) == true)
    #expect(path.top?.id == 3)
    #expect(path.pop()?.id == 3)
    #expect(path.map(\.id) == [1, 2])
    path.popToRoot()
    #expect(path.isEmpty)
    #expect(path.top == nil)
  }

  @Test func `leaves an empty path as it is`() {
    var path: Stack<Card> = []
    #expect(path.pop() == nil)
    #expect(path.pop(to: 1) == false)
    #expect(path.close(1) == false)
    let answer: Void? = path.change(1) { $0.text = "a" }
    #expect(answer == nil)
    path.popToRoot()
    #expect(path == [])
    #expect(path.replace(with: Card(id: 1)) == true)
    #expect(path == [Card(id: 1)])
  }

  @Test func `does not open a screen that is there`() {
    var path: Stack = [Card(id: 1, text: "first"), Card(id: 2)]
    let before = path
    #expect(path.push(Card(id: 1, text: "second")) == false)
    #expect(path.push(Card(id: 2)) == false)
    #expect(path.replace(with: Card(id: 1)) == false)
    #expect(path.replace(2, with: Card(id: 1)) == false)
    #expect(path == before)
    #expect(Stack([Card(id: 1, text: "first"), Card(id: 2), Card(id: 1)]) == before)
  }

  @Test func `closes down to a screen, or with it`() {
    let path = Stack((1...9).map { Card(id: $0) })
    var to = path
    #expect(to.pop(to: 4) == true)
    #expect(to.map(\.id) == [1, 2, 3, 4])
    #expect(to.pop(to: 9) == false)
    var with = path
    #expect(with.close(4) == true)
    #expect(with.map(\.id) == [1, 2, 3])
    #expect(with.close(4) == false)
    #expect(path.count == 9)
  }

  @Test func `puts a screen in the place of another`() {
    var path = Stack((1...3).map { Card(id: $0) })
    #expect(path.replace(with: Card(id: 30)) == true)
    #expect(path.replace(with: Card(id: 30, text: "new")) == true)
    #expect(path.replace(1, with: Card(id: 10)) == true)
    #expect(path.replace(2, with: Card(id: 2, text: "two")) == true)
    #expect(path.replace(1, with: Card(id: 11)) == false)
    #expect(path.screens == [Card(id: 10), Card(id: 2, text: "two"), Card(id: 30, text: "new")])
    #expect(path[id: 10] != nil && path[id: 1] == nil)
    path.set([Card(id: 7)])
    #expect(path.screens == [Card(id: 7)])
  }

  @Test func `finds a screen that has changed its id by the new one`() {
    struct Loose: Identifiable, Equatable { var id: Int }
    var path = Stack((0..<100).map { Loose(id: $0) })
    path.change(40) { $0.id = 1_000 }
    #expect(path[id: 1_000] == path[40])
    #expect(!path.contains(id: 40))
    #expect(path.close(1_000) == true)
    #expect(path.count == 40)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `is what an array of screens would be`(seed: UInt64) {
    var random = SeededNumbers(state: seed)
    var path: Stack<Card> = []
    var array: [Card] = []
    // Copies of other moments stay what they were.
    var kept: [(Stack<Card>, [Card])] = []
    let reach = seed % 2 == 0 ? 60 : 800
    for round in 0..<1_200 {
      let id = Int.random(in: 0..<reach, using: &random)
      let place = array.firstIndex { $0.id == id }
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<12:
        if place == nil { array.append(Card(id: id)) }
        #expect(path.push(Card(id: id)) == (place == nil))
      case 12..<17: #expect(path.pop() == array.popLast())
      case 17, 18:
        if let place { array.removeSubrange((array.count > 300 ? 0 : place + 1)...) }
        if array.isEmpty { path.popToRoot() } else { #expect(path.pop(to: id) == (place != nil)) }
      case 19:
        if let place, place * 2 > array.count { array.removeSubrange(place...) } else { continue }
        #expect(path.close(id) == true)
      case 20..<23:
        if let place { array[place].text = "\(round)" }
        let answer: Void? = path.change(id) { $0.text = "\(round)" }
        #expect((answer != nil) == (place != nil))
      default: kept.append((path, array))
      }
      #expect(path.count == array.count)
      #expect(path[id: id] == array.first { $0.id == id })
      #expect(path.top == array.last)
      if round % 50 == 0 {
        #expect(path.screens == array)
        #expect(path == Stack(array))
        for index in array.indices { #expect(path[index] == array[index]) }
      }
    }
    for (path, array) in kept { #expect(path.screens == array) }
  }

  @Test func `holds ten thousand screens, and finds each`() {
    var path = Stack((0..<10_000).map { Card(id: $0) })
    #expect((0..<10_000).allSatisfy { path.position(of: $0) == $0 })
    #expect(!path.contains(id: 10_000))
    let copy = path
    path.change(77) { $0.text = "x" }
    #expect(path != copy)
    path.pop(to: 2)
    #expect(path.map(\.id) == [0, 1, 2])
    #expect(copy.count == 10_000)
    path.popToRoot()
  }

  @Test func `finds among ids whose hashes are one`() {
    struct Same: Hashable {
      let name: Int
      func hash(into hasher: inout Hasher) {}
    }
    struct Twin: Identifiable, Equatable { let id: Same }
    var path = Stack((0..<200).map { Twin(id: Same(name: $0)) })
    #expect((0..<200).allSatisfy { path.position(of: Same(name: $0)) == $0 })
    #expect(path.close(Same(name: 100)) == true)
    #expect(!path.contains(id: Same(name: 150)))
    #expect(path.push(Twin(id: Same(name: 150))) == true)
  }

  @Test func `changes a screen without a copy of what it has`() {
    struct Big: Identifiable, Equatable {
      let id: Int
      var bytes: [UInt8]
      var place: Int { unsafe bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
    }
    var path = Stack((0..<50).map { Big(id: $0, bytes: Array(repeating: 0, count: 1_000)) })
    for id in [49, 48, 20, 0] {
      let place = path[id: id]?.place
      path.change(id) { $0.bytes[3] = 7 }
      #expect(path[id: id]?.place == place)
    }
  }

  @Test func `reads like a list`() {
    let path: Stack = [Card(id: 1)]
    #expect("\(path)" == "\(path.screens)")
    let difference = Difference(from: path, to: [Card(id: 1, text: "a"), Card(id: 2)])
    #expect(difference.entries.map(\.path) == ["[0].text", "[1]"])
  }
}

@Suite struct `What is presented` {
  @Test func `is one screen over another`() {
    var modals: Presented<Card> = []
    #expect(modals.dismiss() == nil)
    #expect(modals.present(Card(id: 1)) == true)
    #expect(modals.present(Card(id: 2)) == true)
    #expect(modals.present(Card(id: 3)) == true)
    #expect(modals.present(Card(id: 2, text: "again")) == false)
    #expect(modals.top?.id == 3)
    #expect(modals.dismiss()?.id == 3)
    #expect(modals.dismiss(1) == true)
    #expect(modals.dismiss(1) == false)
    #expect(modals.isEmpty)
    modals = [Card(id: 1), Card(id: 2)]
    modals.dismissAll()
    #expect(modals.count == 0)
  }

  @Test func `has the style of the screen over all others`() {
    enum Modal: StyledScreen {
      case tools
      case viewer
      var id: Self { self }
      var style: PresentationStyle { self == .tools ? .overlay : .fullScreen }
    }
    var modals: Presented<Modal> = []
    #expect(modals.style == nil)
    modals.present(.viewer)
    modals.present(.tools)
    #expect(modals.style == .overlay)
    modals.dismiss()
    #expect(modals.style == .fullScreen)
  }
}
