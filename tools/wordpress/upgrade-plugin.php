<?php
/**
 * A plugin with lists of its own, shop/v1. A file upgraded.txt beside it stands for an upgrade that changes nothing that the index
 * declares, and twenty-six things that clients notice.
 */

/** Whether the plugin was upgraded. */
function shop_is_new(): bool {
	return is_file( __DIR__ . '/upgraded.txt' );
}

/** One value before the upgrade, another one after it. */
function shop_pick( $before, $after ) {
	return shop_is_new() ? $after : $before;
}

/** Registers a list and the route of its records; $record makes the record of a number. */
function shop_list( string $name, callable $record, array $more = array() ): void {
	$paging = array(
		'page'     => array( 'type' => 'integer', 'default' => 1, 'minimum' => 1 ),
		'per_page' => array( 'type' => 'integer', 'default' => 10, 'minimum' => 1, 'maximum' => 100 ),
	);
	$read   = array( 'methods' => 'GET', 'permission_callback' => $more['permission'] ?? '__return_true' );
	$list   = function ( $request ) use ( $record, $more ) {
		$numbers = range( 1, 24 );
		$order   = isset( $more['order'] ) ? $more['order']( $numbers ) : $numbers;
		$page    = array_slice( $order, ( $request['page'] - 1 ) * $request['per_page'], $request['per_page'] );
		$shown   = rest_ensure_response( array_map( $record, $page ) );
		$shown->header( 'X-WP-Total', $more['total'] ?? 24 );
		$shown->header( 'X-WP-TotalPages', (int) ceil( 24 / $request['per_page'] ) );
		foreach ( $more['headers'] ?? array() as $header => $value ) {
			$shown->header( $header, $value );
		}
		return isset( $more['wrap'] ) ? $more['wrap']( $shown ) : $shown;
	};
	$one    = fn( $request ) => $request['id'] <= 24 ? $record( (int) $request['id'] ) : new WP_Error(
		$more['code'] ?? 'shop_unknown',
		'There is no such record.',
		array( 'status' => $more['status'] ?? 404 )
	);
	register_rest_route( 'shop/v1', "/$name", array( $read + array( 'callback' => $list, 'args' => $paging ) ) );
	register_rest_route( 'shop/v1', "/$name/(?P<id>[\d]+)", array( $read + array( 'callback' => $one ) ) );
}

/** A page that has its first record twice. */
function shop_doubled( WP_REST_Response $page ): WP_REST_Response {
	$records = $page->get_data();
	$page->set_data( array_merge( $records, array_slice( $records, 0, 1 ) ) );
	return $page;
}

/** A record with what all of them have. */
function shop_record( int $number, array $more ): array {
	return array( 'id' => $number, 'modified' => sprintf( '2024-05-%02dT07:08:09', $number ) ) + $more;
}

add_action(
	'rest_api_init',
	function () {
		shop_list( 'prices', fn( $id ) => shop_record( $id, array(
			'amount'   => shop_pick( $id + 0.5, (string) ( $id + 0.5 ) ),
			'discount' => shop_pick( 0, null ),
			'options'  => shop_pick( array( 'tax' => 1, 'net' => 2 ), array( 1, 2 ) ),
		) ) );
		shop_list( 'dates', fn( $id ) => shop_record( $id, array(
			'shipped' => "2024-05-06T07:08:09" . shop_pick( '', '+02:00' ),
			'paid'    => shop_pick( '2024-05-06T07:08:09', '06.05.2024' ),
			'invoice' => shop_pick( home_url( "/invoice/$id" ), "/invoice/$id" ),
		) ) );
		shop_list( 'names', fn( $id ) => shop_record( $id, shop_is_new() ? array( 'label' => 'A' ) : array( 'label' => 'A', 'short' => 'B' ) ) );
		shop_list( 'texts', fn( $id ) => shop_record( $id, array( 'html' => shop_pick( '<p>A</p>', '<div>A</div>' ) ) ) );
		shop_list( 'headers', fn( $id ) => shop_record( $id, array() ), array( 'headers' => shop_pick( array( 'ETag' => '"a"' ), array() ) ) );
		shop_list( 'totals', fn( $id ) => shop_record( $id, array() ), array( 'total' => shop_pick( 24, 31 ) ) );
		shop_list( 'order', fn( $id ) => shop_record( $id, array() ), array( 'order' => fn( $ids ) => shop_pick( $ids, array_merge( array_reverse( array_slice( $ids, 0, 10 ) ), array_slice( $ids, 10 ) ) ) ) );
		shop_list( 'rights', fn( $id ) => shop_record( $id, array() ), array( 'permission' => fn() => ! shop_is_new() || current_user_can( 'manage_options' ) ) );
		shop_list( 'secrets', fn( $id ) => shop_record( $id, array() ), array( 'permission' => fn() => shop_is_new() || current_user_can( 'manage_options' ) ) );
		shop_list( 'people', fn( $id ) => shop_record( $id, shop_is_new() ? array( 'email' => "p$id@example.org" ) : array() ) );
		shop_list( 'codes', fn( $id ) => shop_record( $id, array() ), array( 'code' => shop_pick( 'shop_unknown', 'shop_not_found' ) ) );
		shop_list( 'statuses', fn( $id ) => shop_record( $id, array() ), array( 'status' => shop_pick( 404, 410 ) ) );
		shop_list( 'shapes', fn( $id ) => shop_record( $id, array() ), array( 'wrap' => fn( $shown ) => shop_pick( $shown, array( 'items' => $shown->get_data() ) ) ) );
		shop_list( 'noisy', fn( $id ) => shop_record( $id, array() ) );
		shop_list( 'faults', fn( $id ) => shop_record( $id, array() ), array( 'wrap' => fn( $shown ) => shop_pick( $shown, new WP_Error( 'shop_fault', 'No.', array( 'status' => 500 ) ) ) ) );
		shop_list( 'flags', fn( $id ) => shop_record( $id, array( 'active' => shop_pick( true, 1 ) ) ) );
		// Records without a date of change.
		shop_list( 'terms', fn( $id ) => array( 'id' => $id, 'description' => $id % 4 ? shop_pick( "About $id", '' ) : '' ) );
		shop_list( 'units', fn( $id ) => array( 'id' => $id, 'cost' => shop_pick( $id + 0.25, $id * 100 + 25 ) ) );
		shop_list( 'labels', fn( $id ) => array( 'id' => $id, 'price' => shop_pick( "$id.50", "EUR $id.50" ) ) );
		shop_list( 'stamps', fn( $id ) => array( 'id' => $id, 'made' => shop_pick( '2024-05-06T07:08:09', '2024-06-07T08:09:10' ) ) );
		// All callers are denied at once, a record is twice on each page, and a page of a login is in place of a refusal.
		shop_list( 'closed', fn( $id ) => shop_record( $id, array() ), array( 'permission' => fn() => ! shop_is_new() ) );
		shop_list( 'doubles', fn( $id ) => shop_record( $id, array() ), array( 'wrap' => fn( $shown ) => shop_is_new() ? shop_doubled( $shown ) : $shown ) );
		shop_list( 'walls', fn( $id ) => shop_record( $id, array() ), array( 'permission' => fn() => current_user_can( 'manage_options' ) ) );
		shop_list( 'slow', function ( $id ) {
			usleep( shop_is_new() ? 15000 : 0 );
			return shop_record( $id, array() );
		} );
	}
);

// A notice that PHP prints before the JSON.
add_filter(
	'rest_pre_serve_request',
	function ( $served, $result, $request ) {
		if ( shop_is_new() && str_starts_with( $request->get_route(), '/shop/v1/noisy' ) ) {
			echo "<br />\n<b>Warning</b>:  Undefined variable in <b>shop.php</b><br />\n";
		}
		return $served;
	},
	10,
	3
);

// A page of a login, for those who are not logged in.
add_filter(
	'rest_pre_serve_request',
	function ( $served, $result, $request ) {
		if ( shop_is_new() && ! is_user_logged_in() && str_starts_with( $request->get_route(), '/shop/v1/walls' ) ) {
			status_header( 200 );
			header( 'Content-Type: text/html' );
			echo '<html><body>Members, come in.</body></html>';
			return true;
		}
		return $served;
	},
	10,
	3
);
