import Testing

@Suite struct `The table of promises` {
  private static let columns = 6

  @Test func `names a test in each cell, and each test exists`() throws {
    let tests = try PromiseTable.tests()
    let rows = try PromiseTable.rows()
    #expect(rows.count > 30)
    for row in rows {
      #expect(row.cells.count == Self.columns, "\(row.subjects)")
      for cell in row.cells {
        #expect(!cell.isEmpty, "\(row.subjects)")
        for name in cell {
          #expect(tests.contains(name), "\(row.subjects): \(name)")
        }
      }
    }
  }

  @Test func `has a row for each operator that is held to the contract, and no other`() throws {
    let relays = Set(Relay.all.map(\.testDescription))
    var held: Set<String> = []
    for row in try PromiseTable.rows()
    where row.cells.joined().contains("passes on all values, and the end once") {
      held.formUnion(row.subjects)
    }
    #expect(held == relays)
  }
}
