internal import JSONText
public import LegoKit

extension Follow {
  /// Creates an effect that sends a change for each link that arrives.
  ///
  /// ```swift
  /// override var follows: [Follow<Photos>] { [Follow(links, from: arrivals) { .open($0) }] }
  /// ```
  ///
  /// A link that matches no route is ignored, and reported to the current problem sink.
  ///
  /// - Parameters:
  ///   - links: The links that the program supports.
  ///   - arrivals: The arriving links, such as ``DesktopApplication/arrivals``.
  ///   - activated: The change for a request to show the program, which has no link, or `nil` to
  ///     ignore such requests.
  ///   - change: Returns the change for the route of a link.
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
