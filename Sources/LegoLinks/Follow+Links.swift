internal import JSONText
public import LegoKit

extension Follow {
  /// Turns each link that arrives into a change.
  ///
  /// ```swift
  /// override var follows: [Follow<Photos>] { [Follow(links, from: arrivals) { .open($0) }] }
  /// ```
  ///
  /// A link that leads nowhere is one line in the problem sink in force, and nothing else.
  ///
  /// - Parameters:
  ///   - links: The links of the program.
  ///   - arrivals: What arrives, such as the ``DesktopApplication/arrivals`` of the program.
  ///   - activated: The change for an arrival without a link, a wish to see the program; `nil` for
  ///     none.
  ///   - change: Makes a change of the route that a link leads to.
  public init<Route>(
    _ links: Links<Route>,
    from arrivals: some AsyncSequence<LinkArrival, Never> & Sendable,
    activated: B.Change? = nil, _ change: @escaping @Sendable (Route) -> B.Change
  ) {
    self.init(once: {
      .run(name: "links") { send in
        for await arrival in arrivals {
          guard let link = arrival.link else {
            if let activated { send(activated) }
            continue
          }
          do throws(LinkError) {
            send(change(try links.route(to: link)))
          } catch {
            Contractors().problemSink.write(
              "the link \(JSONQuotes.quoted(link, limit: 200)) is ignored: \(error)")
          }
        }
      }
    })
  }
}
