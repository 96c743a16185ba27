import LegoPublishers

/// The measured work: sends a number of values through publishers or a plain loop.
enum Chains {
  private static let total = Tally()

  static func loop(_ count: Int) -> Int {
    var last: Int?
    for value in 0..<count {
      let scaled = value &* 3
      if scaled == 7 || scaled == last { continue }
      last = scaled
      total.add(scaled)
    }
    return total.value
  }

  static func ofThree(_ count: Int) -> Int {
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.map { $0 &* 3 }.filter { $0 != 7 }.removeDuplicates()
      .sink { total.add($0) }
    for value in 0..<count { subject.send(value) }
    token.cancel()
    return total.value
  }

  static func ofThreeFromSequence(_ count: Int) -> Int {
    let token = (0..<count).publisher.map { $0 &* 3 }.filter { $0 != 7 }.removeDuplicates()
      .sink { total.add($0) }
    token.cancel()
    return total.value
  }

  static func ofThreeErased(_ count: Int) -> Int {
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.map { $0 &* 3 }.eraseToAnyPublisher()
      .filter { $0 != 7 }.eraseToAnyPublisher()
      .removeDuplicates().eraseToAnyPublisher()
      .sink { total.add($0) }
    for value in 0..<count { subject.send(value) }
    token.cancel()
    return total.value
  }

  static func flatMap(_ count: Int) -> Int {
    let token = (0..<count).publisher.flatMap { Just($0 &* 3) }.sink { total.add($0) }
    token.cancel()
    return total.value
  }

  static func merge(_ count: Int) -> Int {
    let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let token = left.merge(with: right).sink { total.add($0) }
    for value in 0..<count { left.send(value) }
    token.cancel()
    return total.value
  }

  static func switchToLatest(_ count: Int) -> Int {
    let token = (0..<count).publisher.map { Just($0 &* 3) }.switchToLatest()
      .sink { total.add($0) }
    token.cancel()
    return total.value
  }

  static func combineLatest(_ count: Int) -> Int {
    let left = PassthroughSubject<Int, Never>()
    let right = CurrentValueSubject<Int, Never>(1)
    let token = left.combineLatest(right) { $0 &+ $1 }.sink { total.add($0) }
    for value in 0..<count { left.send(value) }
    token.cancel()
    return total.value
  }

  static func zip(_ count: Int) -> Int {
    let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let token = left.zip(right).sink { total.add($0 &+ $1) }
    for value in 0..<count {
      left.send(value)
      right.send(value)
    }
    token.cancel()
    return total.value
  }

  static func future(_ count: Int) -> Int {
    for value in 0..<count {
      let token = Future<Int, Never> { $0(.success(value)) }.eraseToAnyPublisher()
        .sink { total.add($0) }
      token.cancel()
    }
    return total.value
  }
}
