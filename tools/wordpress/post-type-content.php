<?php
/**
 * Adds content of one more post type: run by `wp eval-file post-type-content.php ADMIN TYPE` after content.php, whose
 * users and media it refers to.
 *
 * Every record has a date of its own, so that a sort by date is a total order.
 */

$admin = get_user_by( 'login', $args[0] )->ID;
$type  = $args[1];
wp_set_current_user( $admin );
global $wpdb;
require_once ABSPATH . 'wp-admin/includes/post.php';
$other   = get_user_by( 'login', 'edith' )->ID;
$picture = get_posts( array( 'post_type' => 'attachment', 'post_status' => 'any', 'numberposts' => 1 ) );

/** Ends the run with the reason when WordPress reports an error. */
function more_checked( $result ) {
	if ( is_wp_error( $result ) || ! $result ) {
		WP_CLI::error( is_wp_error( $result ) ? $result->get_error_message() : 'a record was not created' );
	}
	return $result;
}

function more_post( array $fields ): int {
	return more_checked( wp_insert_post( wp_slash( $fields ), true ) );
}

$titles = array(
	'Quince and anchor', 'The violin maker', 'Meadow by meadow', 'Bramble lane', 'A thimble of rain', 'Under the cedar',
	'Pepper trade', 'Orchard hours', 'Kestrel country', 'Lamp and ledger', 'Zinc roofs', 'East of the mill',
);
$made   = array();
foreach ( $titles as $i => $title ) {
	$made[] = more_post(
		array(
			'post_type'      => $type,
			'post_title'     => $title,
			'post_content'   => "<p>$title: the first paragraph.</p><p>A second one.</p>",
			'post_excerpt'   => 0 === $i % 3 ? "In short: $title." : '',
			'post_status'    => 'publish',
			'post_date'      => sprintf( '%d-%02d-%02d 0%d:25:%02d', 2022 + intdiv( $i, 5 ), 1 + $i * 5 % 12, 1 + $i * 2, $i % 10, $i ),
			'post_author'    => 0 === $i % 3 ? $other : $admin,
			'comment_status' => 0 === $i % 4 ? 'closed' : 'open',
			'ping_status'    => 'closed',
		)
	);
}
if ( $picture ) {
	set_post_thumbnail( $made[0], $picture[0]->ID );
}
more_post(
	array(
		'post_type'     => $type,
		'post_title'    => 'A locked one',
		'post_content'  => '<p>Only for those who know the words.</p>',
		'post_excerpt'  => 'A guarded excerpt.',
		'post_status'   => 'publish',
		'post_password' => 'open sesame',
		'post_date'     => '2024-07-07 07:07:07',
		'post_author'   => $admin,
	)
);
foreach ( array( 'draft', 'pending', 'private', 'future', 'trash' ) as $i => $status ) {
	$id = more_post(
		array(
			'post_type'    => $type,
			'post_title'   => ucfirst( $status ) . ', one more',
			'post_content' => '<p>One that is not public.</p>',
			'post_status'  => 'trash' === $status ? 'publish' : $status,
			'post_date'    => 'future' === $status
				? gmdate( 'Y-m-d H:i:s', time() + 40 * DAY_IN_SECONDS )
				: sprintf( '2025-0%d-2%d 11:20:3%d', $i + 1, $i, $i ),
			'post_author'  => $admin,
		)
	);
	if ( 'trash' === $status ) {
		more_checked( wp_trash_post( $id ) );
	}
}

foreach ( array( 'zeal', 'art', 'hope' ) as $word ) {
	more_checked( wp_update_post( wp_slash( array( 'ID' => $made[0], 'post_title' => ucfirst( $word ) . ' instead' ) ), true ) );
}
more_checked( wp_update_post( wp_slash( array( 'ID' => $made[0], 'post_title' => $titles[0] ) ), true ) );
// All of them were made within a second: an order by date needs different ones, in another order than that of the ids.
foreach ( array_reverse( array_values( wp_get_post_revisions( $made[0] ) ) ) as $i => $revision ) {
	$date = sprintf( '2025-04-0%d 09:30:00', 1 + $i * 2 % 5 );
	$wpdb->update( $wpdb->posts, array( 'post_date' => $date, 'post_date_gmt' => $date ), array( 'ID' => $revision->ID ) );
	clean_post_cache( $revision->ID );
}
// An autosave of another user's record stands beside it.
more_checked(
	wp_create_post_autosave(
		array(
			'post_ID'      => $made[0],
			'post_type'    => $type,
			'post_title'   => 'Not yet saved',
			'post_content' => '<p>Not yet saved.</p>',
			'post_excerpt' => '',
		)
	)
);
